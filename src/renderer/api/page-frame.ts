import { pageDelimiter } from '../../shared/query/page-frame.ts';

/** An answer with a page, as far as it is needed here: `json` is what the handler gave. */
interface PageMessage {
  readonly p: { readonly b: { readonly json: { records: Uint8Array<ArrayBuffer> } } };
}

/** The message that a binary frame of the browser host holds; its records share the frame's memory. */
export function decodePage(frame: ArrayBuffer): PageMessage {
  const bytes = new Uint8Array(frame);
  const end = bytes.indexOf(pageDelimiter);
  const message: PageMessage = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
  message.p.b.json.records = bytes.subarray(end + 1);
  return message;
}
