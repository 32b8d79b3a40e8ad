// Turns files of npm packages into what CDNs make of them: `node bundle.mjs < request.json > result.json`. Nothing of a package runs.
//
// Request: op (build, rewrite, minify), tools (paths: esbuild, cjs, esm), and
//   build, rewrite  name, version, root (the package's folder), manifest, path (inside the package, "" for the main module),
//                   development, cdn and host (how dependencies are written), pins, outside, aliases, query
//   minify          code, loader
// Result: code, path (the file it is), hasDefault, leaf (it imports nothing) – or error.

import { createRequire } from "node:module";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, extname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const request = JSON.parse(readFileSync(0, "utf8"));
const load = createRequire(import.meta.url);
const esbuild = load(request.tools.esbuild);
const { name, version, manifest } = request;
const root = request.root ? realpathSync(request.root) : "";

const SUFFIXES = ["", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".tsx", ".json", "/index.js", "/index.mjs", "/index.cjs", "/index.ts"];
const FEW = 4; // imports of an entry that become modules of their own: another entry may share them
const MANY = 64; // public entries beyond which a package is a library of small functions without shared state
const BUILTINS = {
  assert: "assert", buffer: "buffer", events: "events", path: "path-browserify", process: "process", punycode: "punycode",
  querystring: "querystring-es3", stream: "stream-browserify", string_decoder: "string_decoder", timers: "timers-browserify",
  tty: "tty-browserify", url: "url", util: "util", constants: "constants-browserify", os: "os-browserify",
};
const EMPTY = new Set(
  ("child_process cluster crypto dgram dns fs fs/promises http http2 https inspector module net perf_hooks readline repl tls v8 vm " +
    "worker_threads zlib async_hooks diagnostics_channel").split(" "),
);

// ---- addresses ---------------------------------------------------------------------------------------------------------------

function split(spec) {
  const words = spec.split("/");
  const count = spec.startsWith("@") ? 2 : 1;
  return [words.slice(0, count).join("/"), words.slice(count).join("/")];
}

function address(spec) {
  const whole = request.outside ?? [];
  const alias = request.aliases?.[spec] ?? request.aliases?.[split(spec)[0]];
  let [dependency, sub] = split(alias && request.aliases[spec] === undefined ? alias + spec.slice(split(spec)[0].length) : (alias ?? spec));
  if (dependency !== name && (whole.includes("*") || whole.includes(dependency))) return spec;
  let wanted = dependency === name ? version : range(dependency);
  if (wanted.startsWith("npm:")) {
    const at = wanted.lastIndexOf("@");
    [dependency, wanted] = at > 5 ? [wanted.slice(4, at), wanted.slice(at + 1)] : [wanted.slice(4), "latest"];
  }
  if (/[:/]/.test(wanted)) wanted = "latest";
  return format(dependency, wanted === "*" || wanted === "" ? "latest" : wanted, sub);
}

function range(dependency) {
  // The two are of one release; a range would bring in a second React.
  if (dependency === "react" && (name === "react-dom" || name === "react-test-renderer") && !request.pins?.react) return version;
  const declared = ["dependencies", "peerDependencies", "optionalDependencies"].map((field) => manifest[field]?.[dependency]);
  return String(request.pins?.[dependency] ?? declared.find((one) => typeof one === "string") ?? "latest");
}

function declares(dependency) {
  const fields = ["dependencies", "peerDependencies", "optionalDependencies"];
  return dependency === name || fields.some((field) => manifest[field]?.[dependency] !== undefined);
}

function format(dependency, wanted, sub) {
  const title = `${dependency}@${encodeURIComponent(wanted)}`;
  const tail = sub ? `/${sub}` : "";
  if (request.cdn === "jsdelivr") return `https://${request.host}/npm/${title}${tail}/+esm`;
  if (request.cdn === "unpkg") return `https://${request.host}/${title}${tail}?module`;
  return `https://${request.host}/${title}${tail}${request.query ? "?" + request.query : ""}`;
}

// ---- where things lie --------------------------------------------------------------------------------------------------------

const isFile = (path) => existsSync(path) && statSync(path).isFile();
const complete = (base) => SUFFIXES.map((suffix) => base + suffix).find(isFile);
const inside = (path) => path === root || path.startsWith(root + "/");
const common = () => ({
  bundle: true, write: false, logLevel: "silent", platform: "browser", format: "esm", target: "esnext", absWorkingDir: root,
  conditions: ["module", request.development ? "development" : "production"],
});

/** Files of several module names of the package (`name`, `name/sub`), as a bundler in a browser's build resolves them. */
async function locate(specs) {
  const place = mkdtempSync(join(tmpdir(), "assay-cdn-"));
  const found = new Map();
  try {
    mkdirSync(dirname(join(place, "node_modules", name)), { recursive: true });
    symlinkSync(root, join(place, "node_modules", name), "dir");
    const look = {
      name: "look",
      setup(build) {
        build.onResolve({ filter: /.*/ }, async (args) => {
          if (args.pluginData === "looked" || args.namespace === "looked") return undefined;
          for (const spec of specs) {
            const result = await build.resolve(spec, { kind: "import-statement", resolveDir: place, pluginData: "looked" });
            if (result.errors.length === 0 && result.namespace === "file" && isFile(result.path)) found.set(spec, realpathSync(result.path));
          }
          return { path: "done", external: true };
        });
      },
    };
    await esbuild.build({ ...common(), stdin: { contents: 'import "begin"', resolveDir: place }, plugins: [look], absWorkingDir: place });
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
  return found;
}

async function entryFile() {
  const spec = request.path ? `${name}/${request.path}` : name;
  const found = (await locate([spec])).get(spec);
  if (found) return found;
  if (request.path) return complete(join(root, request.path));
  const fields = [manifest.module, manifest["jsnext:main"], manifest.main, "index"].filter((one) => typeof one === "string");
  return fields.map((one) => complete(join(root, one))).find(Boolean);
}

/** The package's public modules: file to module path. Patterns are followed from sub-paths only, or one main module becomes hundreds. */
async function publicFiles(entry) {
  const table = manifest.exports && typeof manifest.exports === "object" ? Object.keys(manifest.exports) : [];
  const keys = table.filter((key) => key.startsWith("./") && !key.includes("*") && !/\.(json|css)$/.test(key));
  const specs = [name, ...(keys.length <= MANY ? keys.map((key) => `${name}/${key.slice(2)}`) : [])];
  const files = new Map();
  for (const [spec, file] of await locate(specs)) if (!files.has(file)) files.set(file, split(spec)[1]);
  const patterns = request.path
    ? table.filter((key) => key.split("*").length === 2).map((key) => [key, target(manifest.exports[key])]).filter(([, to]) => to)
    : [];
  return (file) => {
    if (file === entry) return undefined;
    if (files.has(file)) return files.get(file);
    const path = "./" + relative(root, file);
    for (const [key, to] of patterns) {
      const [before, after] = to.split("*");
      if (path.startsWith(before) && path.endsWith(after ?? "") && /\.m?js$/.test(path)) {
        return key.slice(2).replace("*", path.slice(before.length, path.length - (after ?? "").length));
      }
    }
    return undefined;
  };
}

function target(value) {
  if (typeof value === "string") return value.split("*").length === 2 ? value : "";
  if (!value || typeof value !== "object") return "";
  for (const key of ["browser", "import", "module", "default"]) if (value[key] && target(value[key])) return target(value[key]);
  return "";
}

// ---- what kind of module -----------------------------------------------------------------------------------------------------

async function isEsm(file, code) {
  if (file.endsWith(".mjs")) return true;
  if (file.endsWith(".cjs") || file.endsWith(".json")) return false;
  if (/\.[jt]sx?$/.test(file) && !file.endsWith(".js")) return true;
  const lexer = await import(pathToFileURL(request.tools.esm).href);
  await lexer.init;
  try {
    const [imports, exports] = lexer.parse(code);
    return exports.length > 0 || imports.some((one) => one.d === -1 || one.d === -2);
  } catch {
    return false;
  }
}

/** Names a CommonJS file exports, as far as its text tells. */
function cjsNames(file, seen = new Set()) {
  if (seen.has(file) || !isFile(file)) return [];
  seen.add(file);
  if (file.endsWith(".json")) {
    const value = JSON.parse(readFileSync(file, "utf8"));
    return value && typeof value === "object" && !Array.isArray(value) ? Object.keys(value) : [];
  }
  const lexer = load(request.tools.cjs);
  let found;
  try {
    found = lexer.parse(readFileSync(file, "utf8"));
  } catch {
    return [];
  }
  const inner = found.reexports
    .filter((one) => one.startsWith("."))
    .flatMap((one) => cjsNames(complete(resolve(dirname(file), one)) ?? "", seen));
  return [...found.exports, ...inner];
}

function wrapCjs(file) {
  let names = new Set(cjsNames(file));
  // lodash hangs its functions on one object; it has a file for each of them as well.
  if (name === "lodash" && !request.path) names = new Set(request.files.filter((one) => /^[a-z]\w*\.js$/i.test(one)).map((one) => one.slice(0, -3)));
  names.delete("default");
  names.delete("module.exports");
  const lines = [
    `const $whole = require(${JSON.stringify(file)});`,
    `const $names = Object($whole);`,
    `export default $names.__esModule && "default" in $names ? $names.default : $whole;`,
    `export { $whole as "module.exports" };`,
  ];
  let number = 0;
  for (const one of [...names].sort()) {
    lines.push(`const $n${number} = $names[${JSON.stringify(one)}]; export { $n${number} as ${JSON.stringify(one)} };`);
    number += 1;
  }
  return lines.join("\n");
}

// ---- build -------------------------------------------------------------------------------------------------------------------

const NEED = `const $need = (m) => {
  if ("module.exports" in m) return m["module.exports"];
  const keys = Object.keys(m);
  if (keys.length === 1 && keys[0] === "default") return m.default;
  const all = {};
  Object.defineProperty(all, "__esModule", { value: true });
  for (const key of keys) Object.defineProperty(all, key, { enumerable: true, get: () => m[key] });
  return all;
};\n`;

function outside(entry, isPublic, few, needed) {
  return {
    name: "outside",
    setup(build) {
      build.onResolve({ filter: /^(https?:)?\/\/|^data:/ }, (args) => ({ path: args.path, external: true }));
      build.onResolve({ filter: /^[^./#]/ }, (args) => {
        if (args.kind === "entry-point" || args.pluginData === "looked" || args.path.startsWith("data:")) return undefined;
        return bare(args, needed);
      });
      build.onResolve({ filter: /^\.{1,2}(\/|$)/ }, async (args) => {
        if (args.pluginData === "looked" || args.kind === "entry-point") return undefined;
        if (args.kind !== "import-statement" && args.kind !== "dynamic-import") return undefined;
        const options = { kind: args.kind, resolveDir: args.resolveDir, importer: args.importer, pluginData: "looked" };
        const result = await build.resolve(args.path, options);
        if (result.errors.length || result.namespace !== "file" || !inside(result.path)) return result;
        const path = isPublic(result.path) ?? (args.importer === entry && few ? relative(root, result.path) : undefined);
        if (path === undefined || result.path === entry || !/\.m?js$/.test(result.path)) return result;
        return { path: format(name, version, path), external: true };
      });
      build.onLoad({ filter: /.*/, namespace: "need" }, (args) => ({ contents: `module.exports = $need(${args.path});`, loader: "js" }));
      build.onLoad({ filter: /.*/, namespace: "nothing" }, () => ({ contents: "module.exports = {};", loader: "js" }));
      build.onLoad({ filter: /.*/, namespace: "lost" }, (args) => ({
        contents: `throw Object.assign(new Error(${JSON.stringify(`Cannot find module '${args.path}'`)}), { code: "MODULE_NOT_FOUND" });`,
        loader: "js",
      }));
    },
  };
}

function bare(args, needed) {
  const browser = manifest.browser;
  if (browser && typeof browser === "object" && args.path in browser) {
    const other = browser[args.path];
    if (other === false) return { path: args.path, namespace: "nothing" };
    if (typeof other === "string" && other.startsWith(".")) return undefined;
    if (typeof other === "string") return bare({ ...args, path: other === args.path ? other : other }, needed, true);
  }
  let path = args.path.replace(/^node:/, "").replace(/\/$/, "");
  const [dependency] = split(path);
  if (!declares(dependency)) {
    if (EMPTY.has(path)) return { path, namespace: "nothing" };
    if (BUILTINS[path]) path = BUILTINS[path];
    else if (args.kind === "require-call" || args.kind === "require-resolve") return { path, namespace: "lost" };
  }
  const url = address(path);
  if (args.kind !== "require-call") return { path: url, external: true };
  if (!needed.has(url)) needed.set(url, `$need_${needed.size}`);
  return { path: needed.get(url), namespace: "need" };
}

async function build() {
  const entry = await entryFile();
  if (!entry || !inside(entry)) return { error: "missing" };
  const path = relative(root, entry);
  const code = readFileSync(entry, "utf8");
  const esm = await isEsm(entry, code);
  const needed = new Map();
  const isPublic = esm ? await publicFiles(entry) : () => undefined;
  const plugin = outside(entry, isPublic, esm && (await relativeImports(code)) <= FEW, needed);
  const mode = JSON.stringify(request.development ? "development" : "production");
  const result = await esbuild.build({
    ...common(),
    ...(esm ? { entryPoints: [entry] } : { stdin: { contents: wrapCjs(entry), resolveDir: dirname(entry), sourcefile: "module.mjs" } }),
    plugins: [plugin],
    metafile: true,
    charset: "utf8",
    legalComments: "none",
    minifyWhitespace: true,
    minifySyntax: true,
    outdir: "/out",
    loader: Object.fromEntries(
      [[".css", "empty"], [".node", "empty"], ...[".wasm", ".png", ".jpg", ".gif", ".svg", ".woff", ".woff2", ".ttf"].map((one) => [one, "dataurl"])],
    ),
    define: {
      "process.env.NODE_ENV": mode, "process.env": "{}", "process.browser": "true", "process.platform": '"browser"', global: "globalThis",
      __dirname: '"/"', __filename: '"/index.js"',
    },
  });
  const script = result.outputFiles.find((one) => one.path.endsWith(".js"));
  const exports = Object.values(result.metafile.outputs).flatMap((one) => one.exports ?? []);
  const imports = [...needed].map(([url, word]) => `import * as ${word} from ${JSON.stringify(url)};\n`).join("");
  const stars = esm ? await reexportsDefault(script.text) : false;
  const leaf = needed.size === 0 && !Object.values(result.metafile.outputs).some((one) => one.imports?.some((other) => other.external));
  return { code: imports + (needed.size ? NEED : "") + script.text, path, hasDefault: exports.includes("default") || stars, leaf };
}

async function relativeImports(code) {
  const lexer = await import(pathToFileURL(request.tools.esm).href);
  await lexer.init;
  try {
    return new Set(lexer.parse(code)[0].filter((one) => one.n?.startsWith(".")).map((one) => one.n)).size;
  } catch {
    return Infinity;
  }
}

async function reexportsDefault(code) {
  const lexer = await import(pathToFileURL(request.tools.esm).href);
  await lexer.init;
  return lexer.parse(code)[1].some((one) => one.n === "default");
}

// ---- the smaller ones --------------------------------------------------------------------------------------------------------

/** unpkg's `?module`: the file as it is, with names of packages made addresses. */
async function rewrite() {
  const entry = await entryFile();
  if (!entry || !inside(entry)) return { error: "missing" };
  const code = readFileSync(entry, "utf8");
  const lexer = await import(pathToFileURL(request.tools.esm).href);
  await lexer.init;
  let text = "";
  let at = 0;
  for (const one of lexer.parse(code)[0]) {
    if (one.n === undefined) continue;
    const quoted = one.d > -1;
    const to = /^([a-z]+:)?\/\//.test(one.n) || one.n.startsWith("data:") ? one.n : /^[./]/.test(one.n) ? `${one.n}?module` : address(one.n);
    text += code.slice(at, one.s) + (quoted ? JSON.stringify(to) : to);
    at = one.e;
  }
  return { code: text + code.slice(at), path: relative(root, entry), hasDefault: false, leaf: false };
}

async function minify() {
  const options = { loader: request.loader, minify: true, charset: "utf8", legalComments: "inline", logLevel: "silent" };
  return { code: (await esbuild.transform(request.code, options)).code, path: "", hasDefault: false, leaf: true };
}

let answer;
try {
  answer = await { build, rewrite, minify }[request.op]();
} catch (error) {
  const first = error.errors?.[0];
  const where = first?.location ? ` (${first.location.file}:${first.location.line})` : "";
  answer = { error: `${first ? first.text : error.message}${where}` };
}
process.stdout.write(JSON.stringify(answer));
await esbuild.stop();
