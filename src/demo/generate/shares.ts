/** Splits a total by weights into whole parts that add up to it exactly. */
export function split(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((a, b) => a + b, 0);
  let assigned = 0;
  let weight = 0;
  return weights.map((part) => {
    weight += part;
    const until = sum === 0 ? 0 : Math.round((total * weight) / sum);
    const mine = until - assigned;
    assigned = until;
    return mine;
  });
}
