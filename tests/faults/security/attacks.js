// Everything a project's dev server may try; answers with what each attempt got. Names and meanings are those of the test.
// Where an attempt would succeed it changes nothing of the machine's but the bait: what is made is removed, what is opened is not written.
const fs = require("fs"), net = require("net"), dgram = require("dgram"), dns = require("dns"), os = require("os"), path = require("path");
const { execFileSync, spawn } = require("child_process");
const bait = JSON.parse(fs.readFileSync(path.join(__dirname, "bait.json"), "utf8"));
const tried = {};

const got = (what) => ({ through: true, told: String(what).slice(0, 200) });
const held = (error) => ({ through: false, told: String(error.code || error.message || error).slice(0, 200) });
function attempt(name, act) {
  try { tried[name] = got(act()); } catch (error) { tried[name] = held(error); }
}
const makeAndRemove = (file) => { fs.writeFileSync(file, "x", { flag: "wx" }); fs.unlinkSync(file); return "written"; };
const demand = (value, word) => { if (!value) throw new Error(word || "nothing"); return value; };

// How much of it, not what: nobody wants to find it in a report.
attempt("read_shadow", () => demand(fs.readFileSync("/etc/shadow").length, "empty") + " bytes");
attempt("read_private_key", () => fs.readFileSync(bait.key, "utf8"));
attempt("read_checkout", () => fs.readFileSync(bait.checkout + "/tools/errors.py", "utf8"));
attempt("list_home", () => fs.readdirSync(bait.home).join());
attempt("list_other_runs", () => fs.readdirSync(path.dirname(bait.run)).join());
attempt("read_other_run", () => fs.readFileSync(bait.other + "/ledger.jsonl", "utf8"));
attempt("write_other_run", () => { fs.writeFileSync(bait.other + "/ledger.jsonl", "mine"); return "written"; });
attempt("write_own_ledger", () => { fs.writeFileSync(bait.run + "/ledger.jsonl", "mine"); return "written"; });
attempt("write_log", () => { fs.appendFileSync(bait.run + "/logs/server.log", "forged"); return "written"; });
attempt("climb_out_of_work", () => demand(fs.readdirSync(path.join(__dirname, "..", "..")).includes("other"), "nobody's runs"));
attempt("write_system", () => makeAndRemove("/usr/bin/assay-attack"));
attempt("write_etc", () => makeAndRemove("/etc/assay-attack"));
attempt("write_root", () => makeAndRemove("/assay-attack"));
attempt("hard_link_to_key", () => { fs.linkSync(bait.key, __dirname + "/stolen"); return "linked"; });
attempt("link_to_key", () => { fs.symlinkSync(bait.key, __dirname + "/led"); return fs.readFileSync(__dirname + "/led", "utf8"); });
attempt("root_of_first_process", () => fs.readFileSync("/proc/1/root" + bait.key, "utf8"));
attempt("root_of_bystander", () => fs.readFileSync(`/proc/${bait.pid}/root${bait.key}`, "utf8"));
attempt("block_device", () => fs.readdirSync("/dev").filter((n) => /^(sd|vd|nvme|xvd|dm-|loop|mem$|kmsg)/.test(n)).map((n) => fs.openSync("/dev/" + n)).length || demand(0, "no devices"));
attempt("docker_socket", () => demand(fs.existsSync("/var/run/docker.sock") || fs.existsSync("/run"), "no /run"));
attempt("mount", () => execFileSync("mount", ["-t", "tmpfs", "none", __dirname], { stdio: "pipe" }) + execFileSync("umount", [__dirname]));
attempt("change_root", () => execFileSync("chroot", ["/", "true"], { stdio: "pipe" }) + "entered");
attempt("become_root", () => { process.setuid(0); return "root"; });
attempt("capabilities", () => demand(!/CapEff:\s0+\n/.test(fs.readFileSync("/proc/self/status", "utf8")), "none"));
attempt("new_privileges", () => demand(/NoNewPrivs:\s0/.test(fs.readFileSync("/proc/self/status", "utf8")), "none"));
attempt("key_in_environment", () => demand(Object.entries(process.env).filter(([k]) => /KEY|TOKEN|SECRET/.test(k)).join(), "none"));
attempt("environ_of_others", () => {
  const found = fs.readdirSync("/proc").filter((n) => /^\d+$/.test(n) && n !== String(process.pid)).map((n) => {
    try { return fs.readFileSync(`/proc/${n}/environ`, "utf8"); } catch { return ""; }
  }).join("");
  return demand(found.includes(bait.secret_name) && found, "not there");
});
attempt("environ_of_bystander", () => demand(/ANTHROPIC/.test(fs.readFileSync(`/proc/${bait.pid}/environ`, "utf8")), "not that one"));
attempt("see_other_processes", () => {
  const lines = fs.readdirSync("/proc").filter((n) => /^\d+$/.test(n)).map((n) => { try { return fs.readFileSync(`/proc/${n}/cmdline`, "utf8"); } catch { return ""; } });
  return demand(lines.filter((line) => /pytest|systemd|input\(\)/.test(line)).join(), "only its own");
});
attempt("kill_bystander", () => { process.kill(bait.pid, "SIGSTOP"); process.kill(bait.pid, "SIGCONT"); return "signalled"; });
attempt("memory_of_bystander", () => fs.openSync(`/proc/${bait.pid}/mem`, "r+"));
attempt("trace_bystander", () => execFileSync("node", ["-e", `process.kill(${bait.pid}, 0); process._debugProcess(${bait.pid})`], { stdio: "pipe" }));
attempt("name_of_machine", () => demand(os.hostname() === bait.hostname && bait.hostname !== "sandbox" && os.hostname(), "another"));
attempt("interfaces", () => demand(Object.keys(os.networkInterfaces()).filter((n) => n !== "lo").join(), "loopback only"));
// No network namespace shuts off the way to the host of a virtual machine.
attempt("host_of_the_machine", () => execFileSync("python3", ["-c", "import socket; socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)"], { stdio: "pipe" }) + "a socket");
attempt("kernel_settings", () => { fs.closeSync(fs.openSync("/proc/sys/kernel/core_pattern", "r+")); return "open"; });

function knock(name, options) {
  return new Promise((resolve) => {
    const socket = net.connect(options);
    const end = (outcome) => { tried[name] = outcome; socket.destroy(); resolve(); };
    socket.setTimeout(1500, () => end(held("timeout")));
    socket.on("connect", () => end(got("connected")));
    socket.on("error", (error) => end(held(error)));
  });
}
function ask(name, act) {
  return new Promise((resolve) => {
    setTimeout(() => { tried[name] ??= held("timeout"); resolve(); }, 2500).unref();
    act((error, told) => { tried[name] = error ? held(error) : got(told); resolve(); });
  });
}
(async () => {
  const knocks = [
    knock("loopback_service", { host: "127.0.0.1", port: bait.port }), knock("loopback_six", { host: "::1", port: bait.port }),
    knock("any_address", { host: "0.0.0.0", port: bait.port }), knock("other_loopback", { host: "127.8.8.8", port: bait.port }),
    knock("abstract_socket", { path: "\0" + bait.abstract }), knock("metadata_service", { host: "169.254.169.254", port: 80 }),
    knock("public_address", { host: "1.1.1.1", port: 443 }), knock("private_network", { host: "192.168.0.1", port: 80 }),
    ...bait.addresses.map((host, n) => knock("own_address_" + n, { host, port: bait.port })),
    ask("resolve_name", (done) => dns.lookup("registry.npmjs.org", done)), ask("ask_name_server", (done) => { const one = new dns.Resolver({ timeout: 800, tries: 1 }); one.setServers(["1.1.1.1"]); one.resolve4("example.com", done); }),
    ask("datagram", (done) => dgram.createSocket("udp4").send("x", 53, "1.1.1.1", done)),
    ask("scan_ports", async (done) => {
      let open = [];
      await Promise.all(Array.from({ length: 1500 }, (_, n) => new Promise((next) => {
        const socket = net.connect(bait.port - 750 + n, "127.0.0.1");
        // A port that is dialled from may be the very one that is dialled: that is no other's service.
        socket.on("connect", () => { if (socket.localPort !== socket.remotePort) open.push(n); socket.destroy(); next(); }).on("error", next);
      })));
      open.length ? done(null, open) : done(new Error("all closed"));
    }),
  ];
  await Promise.all(knocks);
  // A daemon without environment, in a session of its own.
  spawn("setsid", ["env", "-i", "/bin/sleep", "98765"], { detached: true, stdio: "ignore", env: {} }).unref();
  require("http").createServer((request, response) => { response.setHeader("Content-Type", "text/html"); response.end(JSON.stringify(tried)); }).listen(process.env.PORT, "127.0.0.1");
})();
