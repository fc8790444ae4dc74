import { AppError } from '../../../shared/errors/errors.ts';
import { wholeQuestion } from '../../../shared/export/export.ts';
import type { FindTarget } from '../../../shared/query/query.ts';
import type { QuestionText } from '../../../shared/query/question.ts';
import { words } from '../../words/words.ts';
import type { ExportQuestion } from '../export/export.ts';
import type { ExportOfAnswer } from './query-tab.ts';
import { askedFrom } from './asked-from.ts';
import { fieldPaths, queryText } from './inputs.ts';

/** What a question comes to as an export. @throws AppError `invalid_input` where it can't be asked */
export function exportQuestion(target: FindTarget, text: QuestionText): ExportQuestion {
  if (text.mode === 'find') {
    const { sort, fields } = text.find;
    return { kind: 'find', query: queryText(text.find), sort, fields: fieldPaths(fields) };
  }
  const made = askedFrom(target, text, words.query);
  if (!made.ok) throw new AppError('invalid_input', { issues: made.issues });
  const { kind, request } = made.asked;
  return { kind: 'whole', answerTo: wholeQuestion.parse({ ...request, kind }) };
}

/** All records that match the find of an answer: its limit and skip don't count. */
export function exportOfAnswer(answer: ExportOfAnswer): ExportQuestion {
  const { query, sort } = answer.request;
  return { kind: 'find', query, sort, fields: exportedFields(answer) ?? [] };
}

/** The dotted paths of the fields that are exported; null: all. */
export const exportedFields = ({ request, fields }: ExportOfAnswer): readonly string[] | null =>
  fields ?? (request.fields.length > 0 ? request.fields : null);
