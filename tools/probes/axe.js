// Runs axe-core, which the caller has put in front of this, and keeps of its answer what is reported.

const boxOf = (el) => {
  if (!el) return null;
  const r = el.getBoundingClientRect();
  return { x: r.left, y: r.top, width: r.width, height: r.height };
};

// axe-core puts its rules off with setTimeout, which never comes while app time stands still; its long waits are for frames only.
async function withoutTimers(run) {
  const later = window.setTimeout;
  window.setTimeout = (call, ms = 0, ...rest) => {
    if (ms <= 100) queueMicrotask(() => call(...rest));
    return 0;
  };
  try {
    return await run();
  } finally {
    window.setTimeout = later;
  }
}

async function audit({ limit, tags, not_run: notRun, nodes: most }) {
  const root = document.documentElement;
  const elements = document.getElementsByTagName("*").length;
  if (elements > limit) return { elements, skipped: true };
  const found = await withoutTimers(() =>
    window.axe.run(root, {
      runOnly: { type: "tag", values: tags },
      rules: Object.fromEntries(notRun.map((id) => [id, { enabled: false }])),
      resultTypes: ["violations"],
      iframes: false,
      preload: false,
      elementRef: true,
    }),
  );
  const violations = found.violations.map((rule) => ({
    id: rule.id,
    impact: rule.impact || "",
    help: rule.help,
    count: rule.nodes.length,
    nodes: rule.nodes.slice(0, most).map((node) => ({ selector: node.target.flat(9).join(" >>> "), box: boxOf(node.element) })),
  }));
  return {
    elements,
    skipped: false,
    violations,
    passes: found.passes.length,
    incomplete: found.incomplete.length,
    version: window.axe.version,
  };
}
