import { decodeXml } from '../xml/xml-text.ts';

/** Characters that are invalid in XML are written as `_x000D_`. */
const decodeEscapes = (text: string): string =>
  text.includes('_x')
    ? text.replaceAll(/_x([0-9a-f]{4})_/gi, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text;

const clean = (text: string): string => {
  const [start = '', ...sections] = text.split('<![CDATA[');
  const parts = sections.flatMap((section) => {
    const end = section.indexOf(']]>');
    return end < 0 ? [section] : [section.slice(0, end), decodeXml(section.slice(end + 3))];
  });
  return decodeEscapes([decodeXml(start), ...parts].join(''));
};

function withoutElements(text: string, open: string, close: string): string {
  let rest = '';
  let at = 0;
  for (;;) {
    const start = text.indexOf(open, at);
    const end = start < 0 ? -1 : text.indexOf(close, start);
    if (end < 0) return rest + text.slice(at);
    rest += text.slice(at, start);
    at = end + close.length;
  }
}

/**
 * The text of an `si` or `is` element: all of its `t` elements, without phonetic text (`rPh`).
 * @param prefix of the file's elements, such as `x:`
 */
export function richText(element: string, prefix: string): string {
  const open = `<${prefix}t`;
  const close = `</${prefix}t>`;
  const source = withoutElements(element, `<${prefix}rPh`, `</${prefix}rPh>`);
  let text = '';
  for (let at = source.indexOf(open); at >= 0; at = source.indexOf(open, at + 1)) {
    const tagEnd = source.indexOf('>', at);
    const next = source.charCodeAt(at + open.length);
    if (tagEnd < 0 || source[tagEnd - 1] === '/' || (next !== 0x3e && next > 0x20)) continue;
    const end = source.indexOf(close, tagEnd);
    if (end < 0) break;
    text += clean(source.slice(tagEnd + 1, end));
    at = end;
  }
  return text;
}
