/** Recognizes the null value of a header in other notations: -999.25 equals -999.2500 and -9.9925E2. */
export function nullTest(nullText: string | null): (cell: string) => boolean {
  if (nullText === null) return (cell) => cell === '';
  const value = Number(nullText);
  if (Number.isNaN(value)) return (cell) => cell === '' || cell === nullText;
  const first = nullText.charCodeAt(0);
  return (cell) =>
    cell === '' ||
    cell === nullText ||
    (cell.charCodeAt(0) === first && cell.length < 24 && Number(cell) === value);
}
