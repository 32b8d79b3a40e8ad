// Bundles a component answer with esbuild: `node bundle.mjs REQUEST.json RESULT.json`.
//
// Request: tools (folder whose node_modules has esbuild and, for Vue, the SFC compiler), dependencies (folder whose node_modules has what
// the code imports, or ""), source (folder of the answer's files), entries ({output name: source file}), outdir, listOnly.
// Result: packages (names imported from outside), errors and warnings (lines for people), emptied (style files that do not exist).
// With listOnly nothing is written: packages are left outside and listed, so that they can be installed first.

import { createRequire, isBuiltin } from "node:module";
import { existsSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { createHash } from "node:crypto";

const request = JSON.parse(readFileSync(process.argv[2], "utf8"));
const toolRequire = createRequire(join(request.tools, "package.json"));
const esbuild = toolRequire("esbuild");
const packages = new Set();
const emptied = new Set();

const SUFFIXES = ["", ".tsx", ".ts", ".jsx", ".js", ".mjs", ".vue", ".json", "/index.tsx", "/index.ts", "/index.jsx", "/index.js"];
const sourceRoot = existsSync(join(request.source, "src")) ? join(request.source, "src") : request.source;

const roots = [request.source, request.tools, ...(request.dependencies ? [request.dependencies] : [])].map((path) => realpathSync(path));
const within = (path, root) => path === root || path.startsWith(root + sep);

// An answer may take in what is its own and what it names as packages, nothing else of this machine. The sandbox around this program
// sees to it, too; here it is told in the answer's words.
const fence = {
  name: "fence",
  setup(build) {
    build.onResolve({ filter: /^\.{1,2}(\/|$)/ }, (args) => {
      const path = resolve(args.resolveDir, args.path.replace(/[?#].*$/, ""));
      if (args.kind === "entry-point" || !within(args.resolveDir, request.source) || within(path, request.source)) return undefined;
      return { errors: [{ text: `"${args.path}" lies outside of the answer` }] };
    });
    build.onLoad({ filter: /.*/, namespace: "file" }, (args) => {
      let path;
      try {
        path = realpathSync(args.path);
      } catch {
        return undefined;
      }
      if (roots.some((root) => within(path, root))) return undefined;
      return { errors: [{ text: `"${args.path}" lies outside of the answer` }] };
    });
  },
};

const outside = {
  name: "outside",
  setup(build) {
    build.onResolve({ filter: /^(https?:)?\/\// }, (args) => ({ path: args.path, external: true }));
    // A style sheet that the answer imports and does not contain leaves the app unstyled, not unbuilt.
    build.onResolve({ filter: /^(\.{1,2}\/|\/|@\/).*\.(css|scss|sass|less)$/ }, (args) => {
      const path = locate(args.path, args.resolveDir);
      if (path) return { path };
      emptied.add(args.path);
      return { path: args.path, namespace: "empty" };
    });
    build.onLoad({ filter: /.*/, namespace: "empty" }, () => ({ contents: "", loader: "css" }));
    // Root-relative and "@/" imports mean the source folder, as in the common set-ups.
    build.onResolve({ filter: /^(@\/|~\/|\/)/ }, (args) => {
      if (args.kind === "entry-point") return undefined;
      const path = locate(args.path, args.resolveDir);
      return path ? { path } : { errors: [{ text: `Could not resolve "${args.path}": the answer does not contain it` }] };
    });
    build.onResolve({ filter: /^[^./~]/ }, (args) => {
      if (args.kind === "entry-point" || args.path.startsWith("@/")) return undefined;
      if (args.namespace === "vue-style" || args.path.includes(":")) return undefined;
      if (isBuiltin(args.path)) return { errors: [{ text: `"${args.path}" is a module of Node.js, which browsers do not have` }] };
      if (args.resolveDir.includes("/node_modules/")) return undefined;
      packages.add(args.path.split("/").slice(0, args.path.startsWith("@") ? 2 : 1).join("/"));
      return request.listOnly ? { path: args.path, external: true } : undefined;
    });
  },
};

function locate(path, from) {
  const bare = path.replace(/[?#].*$/, "");
  const bases = bare.startsWith(".")
    ? [resolve(from, bare)]
    : bare.startsWith("/")
      ? [join(request.source, bare), join(request.source, "public", bare)]
      : [join(sourceRoot, bare.slice(2)), join(request.source, bare.slice(2))];
  for (const base of bases) {
    if (!base.startsWith(request.source)) continue;
    for (const suffix of SUFFIXES) {
      if (suffix.startsWith("/") || /\.\w+$/.test(base + suffix)) if (existsSync(base + suffix)) return base + suffix;
    }
  }
  return "";
}

const vue = {
  name: "vue",
  setup(build) {
    build.onResolve({ filter: /\.vue\?style=/ }, (args) => ({ path: resolve(args.resolveDir, args.path), namespace: "vue-style" }));
    build.onLoad({ filter: /\.vue$/ }, (args) => compileVue(args.path));
    build.onLoad({ filter: /.*/, namespace: "vue-style" }, (args) => compileStyle(args.path));
  },
};

const scopeOf = (path) => "data-v-" + createHash("sha256").update(basename(path) + readFileSync(path)).digest("hex").slice(0, 8);

function toMessage(error, path) {
  const text = typeof error === "string" ? error : error.message;
  const at = error.loc && error.loc.start;
  return { text, location: at ? { file: path, line: at.line, column: Math.max(at.column - 1, 0) } : { file: path } };
}

function compileVue(path) {
  const compiler = toolRequire("@vue/compiler-sfc");
  const { descriptor, errors } = compiler.parse(readFileSync(path, "utf8"), { filename: path, sourceMap: false });
  if (errors.length) return { errors: errors.map((error) => toMessage(error, path)) };
  const id = scopeOf(path);
  const scoped = descriptor.styles.some((style) => style.scoped);
  const language = (descriptor.scriptSetup || descriptor.script || {}).lang || "js";
  const plugins = language.startsWith("ts") ? ["typescript"] : [];
  if (language === "tsx" || language === "jsx") plugins.push("jsx");
  const parts = [];
  let bindings;
  try {
    if (descriptor.script || descriptor.scriptSetup) {
      const inlineTemplate = Boolean(descriptor.scriptSetup) && !descriptor.template?.src;
      const script = compiler.compileScript(descriptor, {
        id, inlineTemplate, genDefaultAs: "__component__", babelParserPlugins: plugins,
        templateOptions: { scoped, id, compilerOptions: { scopeId: scoped ? id : undefined } },
      });
      bindings = script.bindings;
      parts.push(script.content);
    } else {
      parts.push("const __component__ = {};");
    }
  } catch (error) {
    return { errors: [toMessage(error, path)] };
  }
  if (descriptor.template && !descriptor.scriptSetup) {
    const template = compiler.compileTemplate({
      source: descriptor.template.content, filename: path, id, scoped,
      compilerOptions: { bindingMetadata: bindings, scopeId: scoped ? id : undefined },
    });
    if (template.errors.length) return { errors: template.errors.map((error) => toMessage(error, path)) };
    parts.push(template.code, "__component__.render = render;");
  }
  descriptor.styles.forEach((_, index) => parts.unshift(`import ${JSON.stringify(`./${basename(path)}?style=${index}`)};`));
  if (scoped) parts.push(`__component__.__scopeId = ${JSON.stringify(id)};`);
  parts.push("export default __component__;");
  const loader = { ts: "ts", tsx: "tsx", jsx: "jsx" }[language] || "js";
  return { contents: parts.join("\n"), loader, resolveDir: dirname(path) };
}

async function compileStyle(specifier) {
  const [path, index] = specifier.split("?style=");
  const compiler = toolRequire("@vue/compiler-sfc");
  const { descriptor } = compiler.parse(readFileSync(path, "utf8"), { filename: path });
  const style = descriptor.styles[Number(index)];
  const result = await compiler.compileStyleAsync({
    source: style.content, filename: path, id: scopeOf(path), scoped: Boolean(style.scoped),
    preprocessLang: style.lang && style.lang !== "css" && style.lang !== "postcss" ? style.lang : undefined,
    preprocessCustomRequire: (name) => toolRequire(name),
  });
  if (result.errors.length) return { errors: result.errors.map((error) => toMessage(error, path)) };
  return { contents: result.code, loader: "css", resolveDir: dirname(path) };
}

const sass = {
  name: "sass",
  setup(build) {
    build.onLoad({ filter: /\.s[ac]ss$/ }, (args) => {
      try {
        return { contents: toolRequire("sass").compile(args.path, { logger: { warn() {}, debug() {} } }).css, loader: "css" };
      } catch (error) {
        return { errors: [{ text: String(error.sassMessage || error.message), location: { file: args.path } }] };
      }
    });
  },
};

function line(message) {
  const at = message.location;
  const file = at ? at.file.replace(request.source + "/", "").replace(/^.*\/source\//, "") : "";
  const place = at ? `${file}${at.line ? `:${at.line}:${(at.column ?? 0) + 1}` : ""}: ` : "";
  const code = at && at.lineText ? `\n    ${at.lineText.trim().slice(0, 200)}` : "";
  return `${place}${message.text}${code}`;
}

const loaders = { ".js": "jsx", ".mjs": "jsx", ".svg": "dataurl", ".txt": "text", ".md": "text", ".glsl": "text", ".vert": "text", ".frag": "text", ".wgsl": "text" };
for (const suffix of ["png", "jpg", "jpeg", "gif", "webp", "avif", "mp3", "wav", "ogg", "mp4", "webm", "woff", "woff2", "ttf", "otf"]) loaders[`.${suffix}`] = "file";

let outcome;
try {
  const done = await esbuild.build({
    absWorkingDir: request.source,
    entryPoints: request.entries,
    outdir: request.outdir,
    write: !request.listOnly,
    bundle: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    jsx: "automatic",
    charset: "utf8",
    sourcemap: "linked",
    legalComments: "none",
    logLevel: "silent",
    logLimit: 30,
    loader: loaders,
    nodePaths: request.dependencies ? [join(request.dependencies, "node_modules")] : [],
    alias: request.dependencies && existsSync(join(request.dependencies, "node_modules", "vue")) ? { vue: "vue/dist/vue.esm-bundler.js" } : {},
    inject: request.inject || [],
    define: {
      "process.env.NODE_ENV": '"production"',
      "process.env": "{}",
      "import.meta.env": '{"MODE":"production","PROD":true,"DEV":false,"SSR":false,"BASE_URL":"/"}',
      __VUE_OPTIONS_API__: "true",
      __VUE_PROD_DEVTOOLS__: "false",
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "false",
    },
    plugins: [fence, outside, vue, sass],
  });
  outcome = { errors: [], warnings: done.warnings.map(line) };
} catch (error) {
  outcome = { errors: error.errors ? error.errors.map(line) : [String(error.message || error)], warnings: (error.warnings || []).map(line) };
}
writeFileSync(process.argv[3], JSON.stringify({ packages: [...packages].sort(), emptied: [...emptied].sort(), ...outcome }));
