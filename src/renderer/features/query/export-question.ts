import { AppError } from '../../../shared/errors.ts';
import { wholeQuestion } from '../../../shared/export.ts';
import type { QuestionText } from '../../../shared/question.ts';
import { words } from '../../words/words.ts';
import type { ExportQuestion } from '../export/export.ts';
import { askedFrom } from './asked-from.ts';
import type { FindTarget } from './inputs.ts';

/** What a question comes to as an export. @throws AppError `invalid_input` where it can't be asked */
export function exportQuestion(target: FindTarget, text: QuestionText): ExportQuestion {
  if (text.mode === 'find') return { kind: 'find', inputs: text.find };
  const made = askedFrom(target, text, words.query);
  if (!made.ok) throw new AppError('invalid_input', { issues: made.issues });
  const { kind, request } = made.asked;
  return { kind: 'whole', answerTo: wholeQuestion.parse({ ...request, kind }) };
}
