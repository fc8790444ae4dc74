const width = 720;
const height = 360;
const margin = { left: 80, right: 150, top: 20, bottom: 50 };
const colours = ['#1f6feb', '#b35900', '#1a7f37', '#8250df'];

const log = Math.log10;
const short = (value) =>
  value >= 1e6 ? `${value / 1e6} M` : value >= 1000 ? `${value / 1000} k` : String(value);

/** Speed by size as a picture, both in powers of ten. Figures: `{name, size, ours, unit}`. */
export function growthPlot(figures) {
  const sizes = figures.map(({ size }) => log(size));
  const speeds = figures.map(({ ours }) => log(ours));
  const [x0, x1] = [Math.floor(Math.min(...sizes)), Math.ceil(Math.max(...sizes))];
  const [y0, y1] = [Math.floor(Math.min(...speeds)), Math.ceil(Math.max(...speeds))];
  const x = (size) => margin.left + ((log(size) - x0) / (x1 - x0)) * (width - margin.left - margin.right);
  const y = (speed) =>
    height - margin.bottom - ((log(speed) - y0) / (y1 - y0)) * (height - margin.top - margin.bottom);
  const powers = (from, to) => Array.from({ length: to - from + 1 }, (_, at) => 10 ** (from + at));
  const grid = [
    ...powers(x0, x1).map(
      (size) =>
        `<line x1="${x(size)}" x2="${x(size)}" y1="${margin.top}" y2="${height - margin.bottom}" stroke="#ddd"/><text x="${x(size)}" y="${height - margin.bottom + 18}" text-anchor="middle">${short(size)}</text>`,
    ),
    ...powers(y0, y1).map(
      (speed) =>
        `<line x1="${margin.left}" x2="${width - margin.right}" y1="${y(speed)}" y2="${y(speed)}" stroke="#ddd"/><text x="${margin.left - 8}" y="${y(speed) + 4}" text-anchor="end">${short(speed)}</text>`,
    ),
  ];
  const names = [...new Set(figures.map(({ name }) => name))];
  const lines = names.map((name, nth) => {
    const points = figures.filter((figure) => figure.name === name).sort((a, b) => a.size - b.size);
    const path = points.map(({ size, ours }) => `${x(size).toFixed(1)},${y(ours).toFixed(1)}`).join(' ');
    const last = points.at(-1);
    const dots = points.map(
      ({ size, ours }) => `<circle cx="${x(size)}" cy="${y(ours)}" r="3" fill="${colours[nth % 4]}"/>`,
    );
    return `<polyline points="${path}" fill="none" stroke="${colours[nth % 4]}" stroke-width="2"/>${dots.join('')}<text x="${x(last.size) + 8}" y="${y(last.ours) + 4}" fill="${colours[nth % 4]}">${name}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="white"/>${grid.join('')}${lines.join('')}<text x="${(width - margin.right + margin.left) / 2}" y="${height - 10}" text-anchor="middle">rows</text><text transform="translate(16 ${height / 2}) rotate(-90)" text-anchor="middle">rows/s</text></svg>\n`;
}
