const whole = new Intl.NumberFormat(undefined, { maximumFractionDigits: 0 });
const oneDigit = new Intl.NumberFormat(undefined, { maximumFractionDigits: 1 });

/** A count with the person's own thousands separators. */
export function formatCount(count: number | bigint): string {
  return whole.format(count);
}

const twoDigits = new Intl.NumberFormat(undefined, { maximumFractionDigits: 2 });

/** A depth, or a length between depths, with no more digits than anybody reads; its unit is the dataset's. */
export function formatDepth(depth: number): string {
  return twoDigits.format(depth);
}

const byteSteps = ['B', 'kB', 'MB', 'GB', 'TB'] as const;

/** A size in steps of 1,000: `4.1 MB`. */
export function formatBytes(bytes: number): string {
  let step = 0;
  let size = bytes;
  while (size >= 1000 && step < byteSteps.length - 1) {
    size /= 1000;
    step += 1;
  }
  return `${step === 0 ? whole.format(size) : oneDigit.format(size)} ${byteSteps[step]}`;
}

/** A share from 0 to 1 as a whole percentage; 100 % only when all is done. */
export function formatPercent(share: number): string {
  return `${Math.min(Math.floor(share * 100), 100)} %`;
}
