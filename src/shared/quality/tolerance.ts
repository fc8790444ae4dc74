const tolerancePattern = /^\s*(\d+\.?\d*|\.\d+)\s*(%?)\s*$/;

/** How much two numbers may differ. `isShare`: by this share of the larger one, otherwise by this amount. */
export interface Tolerance {
  readonly amount: number;
  readonly isShare: boolean;
}

/** The tolerance that a text means, such as `0.5` or `1%`; null: none. */
export function toleranceOf(text: string): Tolerance | null {
  const [, number, percent] = tolerancePattern.exec(text) ?? [];
  if (number === undefined) return null;
  const isShare = percent === '%';
  return { amount: isShare ? Number(number) / 100 : Number(number), isShare };
}
