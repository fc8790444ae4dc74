const width = 720;
const panelHeight = 260;
const margin = { left: 80, right: 110, top: 20, bottom: 50 };
const colors = ['#1f6feb', '#b35900', '#1a7f37', '#8250df'];

const log = Math.log10;
const short = (value) =>
  value >= 1e6 ? `${value / 1e6} M` : value >= 1000 ? `${value / 1000} k` : String(value);
const powers = (from, to) => Array.from({ length: to - from + 1 }, (_, at) => 10 ** (from + at));
const text = (x, y, said, more = '') => `<text x="${x}" y="${y}" ${more}>${said}</text>`;
const line = (x1, x2, y1, y2) => `<line x1="${x1}" x2="${x2}" y1="${y1}" y2="${y2}" stroke="#ddd"/>`;

/** Growth by size as a plot with a panel for each unit and logarithmic axes. Figures: `{name, size, ours, unit}`. */
export function growthPlot(figures) {
  const sizes = figures.map(({ size }) => log(size));
  const names = [...new Set(figures.map(({ name }) => name))];
  const units = [...new Set(figures.map(({ unit }) => unit))];
  const height = panelHeight * units.length;
  const across = {
    powers: [Math.floor(Math.min(...sizes)), Math.ceil(Math.max(...sizes))],
    colorOf: (name) => colors[names.indexOf(name) % colors.length],
  };
  const panels = units.map((unit, nth) =>
    panel(
      figures.filter((figure) => figure.unit === unit),
      nth * panelHeight,
      across,
    ),
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="white"/>${panels.join('')}</svg>\n`;
}

/**
 * @param {{ name: string, size: number, ours: number, unit: string }[]} figures
 * @param {number} from
 * @param {{ powers: number[], colorOf: (name: string) => string }} across
 */
function panel(figures, from, { powers: [x0, x1], colorOf }) {
  const values = figures.map(({ ours }) => log(ours));
  const y0 = Math.floor(Math.min(...values));
  const y1 = Math.max(y0 + 1, Math.ceil(Math.max(...values)));
  const [top, bottom] = [from + margin.top, from + panelHeight - margin.bottom];
  const [left, right] = [margin.left, width - margin.right];
  const x = (size) => left + ((log(size) - x0) / Math.max(1, x1 - x0)) * (right - left);
  const y = (value) => bottom - ((log(value) - y0) / (y1 - y0)) * (bottom - top);
  const middle = 'text-anchor="middle"';
  const grid = [
    ...powers(x0, x1).map(
      (size) => line(x(size), x(size), top, bottom) + text(x(size), bottom + 18, short(size), middle),
    ),
    ...powers(y0, y1).map(
      (value) =>
        line(left, right, y(value), y(value)) +
        text(left - 8, y(value) + 4, short(value), 'text-anchor="end"'),
    ),
  ];
  const lines = [...new Set(figures.map(({ name }) => name))].map((name) => {
    const points = figures.filter((figure) => figure.name === name).sort((a, b) => a.size - b.size);
    const color = colorOf(name);
    const places = points.map(({ size, ours }) => [x(size).toFixed(1), y(ours).toFixed(1)]);
    const [lastX, lastY] = places[places.length - 1];
    return [
      `<polyline points="${places.map((place) => place.join(',')).join(' ')}" fill="none" stroke="${color}" stroke-width="2"/>`,
      ...places.map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="3" fill="${color}"/>`),
      text(Number(lastX) + 8, Number(lastY) + 4, name, `fill="${color}"`),
    ].join('');
  });
  const center = (top + bottom) / 2;
  const axes = [
    text((left + right) / 2, bottom + 38, 'rows', middle),
    text(0, 0, figures[0].unit, `transform="translate(16 ${center}) rotate(-90)" ${middle}`),
  ];
  return [...grid, ...lines, ...axes].join('');
}
