const core =
  /^(?:wells?|wellbores?|wellname|wellid|wellno|wellnumber|borehole|uwi|api|api(?:no|num|number|10|12|14)|asset|assetid)$/;
const qualifiers =
  /^(?:names?|id|identifier|no|nr|num|number|code|bore|hole|npd|npdid|wlb|common|full|short|unique|us|usa|legal|label|the|of|10|12|14)$/;

/** A name as lowercase words: `wlbWellboreName` becomes `wlb`, `wellbore`, `name`. */
export const nameInWords = (name: string): string[] =>
  name
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** Whether a column with this name can name wells; `Well status`, `API gravity`, and the like can't. */
export function canNameWells(name: string): boolean {
  const words = nameInWords(name);
  return (
    words.some((word) => core.test(word)) && words.every((word) => core.test(word) || qualifiers.test(word))
  );
}
