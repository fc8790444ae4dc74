import * as z from 'zod';
import { readable } from '../../paging/cursor.ts';
import { errorBody } from '../../../shared/errors/errors.ts';
import { answerOrigin, progressMarks, writerSpec } from './spec.ts';

const call = { id: z.int() };

/** A call to the writer in its thread. */
export const writerCall = z.discriminatedUnion('method', [
  z.object({ ...call, method: z.literal('open'), spec: writerSpec, from: progressMarks.nullable() }),
  z.object({
    ...call,
    method: z.literal('write'),
    at: readable,
    content: z.instanceof(Uint8Array),
    origin: answerOrigin,
  }),
  z.object({ ...call, method: z.literal('finishMore') }),
  z.object({ ...call, method: z.literal('close') }),
]);
export type WriterCall = z.infer<typeof writerCall>;

export const writerReply = z.object({
  id: z.int(),
  value: z.unknown(),
  error: errorBody.optional(),
});
export type WriterReply = z.infer<typeof writerReply>;
