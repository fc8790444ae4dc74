/** Whether a figure meets its goal; null if a part of the goal can't be evaluated. */
export function isMet({ ours, ratio, goal }) {
  const parts = goal.split(', ').map((part) => {
    const [, sign, number, times] = /^([≤≥])\s*\+?([\d.]+)\s*(×)?/.exec(part) ?? [];
    const value = times ? (ratio ?? null) : ours;
    if (!sign || value === null) return null;
    return sign === '≤' ? value <= Number(number) : value >= Number(number);
  });
  if (parts.includes(false)) return false;
  return parts.includes(null) ? null : true;
}

const number = (value) =>
  value === null ? '–' : value >= 100 ? Math.round(value).toLocaleString('en') : String(value);
const verdict = (figure) => ({ true: 'met', false: 'missed', null: '' })[String(isMet(figure))];

/** The figures as a table in Markdown. */
export function tableOf(figures) {
  const rows = figures.map((figure) => {
    const { name, ours, floor, ratio, unit, goal } = figure;
    return [
      name,
      number(ours),
      number(floor),
      ratio === null ? '–' : `${ratio} ×`,
      unit,
      goal,
      verdict(figure),
    ];
  });
  const all = [['Figure', 'Ours', 'Floor', 'Ratio', 'Unit', 'Goal', ''], ...rows];
  const widths = all[0].map((_, at) => Math.max(...all.map((row) => row[at].length), 3));
  const line = (row) => `| ${row.map((cell, at) => cell.padEnd(widths[at])).join(' | ')} |`;
  return [
    line(all[0]),
    `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`,
    ...rows.map(line),
  ].join('\n');
}

/** Figures by size as a Markdown table, with the memory of the command where it was measured. */
function growthTable(figures) {
  const names = [...new Set(figures.map(({ name }) => name))];
  const head = ['Rows', ...names.map((name) => name[0].toUpperCase() + name.slice(1))];
  const cell = (figure) => {
    if (!figure) return '–';
    const memory = figure.residentMb === undefined ? '' : `, ${number(figure.residentMb)} MB`;
    return `${number(figure.ours)} ${figure.unit}${memory}`;
  };
  const rows = [...new Set(figures.map(({ size }) => size))].map((size) => [
    number(size),
    ...names.map((name) => cell(figures.find((figure) => figure.name === name && figure.size === size))),
  ]);
  return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** The section on growth; empty if it was not measured. */
function growthPart(figures) {
  if (figures.length === 0) return '';
  return `
## Growth

![Upload and export in rows per second, and a jump in the grid in milliseconds, by rows](growth.svg)

${growthTable(figures)}

Exports and uploads: rows per second of the whole command without a link, and its maximum resident memory. Grid: from a jump to a distant row until it
is drawn.
`;
}

/** The handwritten section: from the heading "Limits" to the end. */
const byHand = (page) => /\n## Limits\n[^]*$/.exec(page)?.[0] ?? '';

/** Failed and pending measurements, so that a partial run is recognizable. */
function gapsPart(failed, toCome) {
  const list = [
    ...failed.map(({ name, failed: why }) => `- ${name}: not measured because of an error: ${why}`),
    ...toCome.map((name) => `- ${name}: not measured yet.`),
  ];
  return list.length === 0 ? '' : `\n${list.join('\n')}\n`;
}

/**
 * The page on performance, which a run of all measurements writes; its handwritten section stays. A figure with `failed` has the
 * reason instead of a value.
 */
export function performancePage({ figures, toCome, full, version, date, machine, old }) {
  const failed = figures.filter(({ failed: why }) => why !== undefined);
  const withGoal = figures.filter(({ goal }) => goal !== undefined);
  const missed = withGoal.filter((figure) => isMet(figure) === false);
  return `# Performance

Measured by \`npm run bench${full ? ' -- --full' : ''}\` on ${date}, version ${version}: ${machine}.

Each figure has a floor: the minimum time that the same work can take, measured in turns in the same run, so that a busy machine slows down both. Both
are medians. Compare ratios; absolute figures depend on the machine. The service, the link, and the browser run on the same cores as the
application.

${tableOf(withGoal)}

${missed.length === 0 ? 'All goals were met in this run.' : `Missed in this run: ${missed.length} of ${withGoal.length} goals, in the rows marked "missed".`}
${gapsPart(failed, toCome)}${growthPart(figures.filter(({ size }) => size !== undefined))}${byHand(old)}`;
}
