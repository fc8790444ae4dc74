import { MarkerSeverity, type editor } from 'monaco-editor/editor';
import type { Finding } from '../../../shared/language/lint/notes.ts';
import { spanRange } from './providers.ts';

/** A problem in the text; line and column count from 1. */
export interface Mark {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

/** A marker of the word at a position. */
export function wordMarker(model: editor.ITextModel, { message, line, column }: Mark): editor.IMarkerData {
  const at = model.validatePosition({ lineNumber: line, column });
  const word = model.getWordAtPosition(at);
  return {
    severity: MarkerSeverity.Error,
    message,
    startLineNumber: at.lineNumber,
    startColumn: at.column,
    endLineNumber: at.lineNumber,
    endColumn: Math.max(word?.endColumn ?? 0, at.column + 1),
  };
}

/** A marker of a finding. */
export function findingMarker(model: editor.ITextModel, finding: Finding): editor.IMarkerData {
  const { startLineNumber, startColumn, endLineNumber, endColumn } = spanRange(model, finding);
  return {
    severity: finding.severity === 'error' ? MarkerSeverity.Error : MarkerSeverity.Warning,
    message: finding.message,
    code: finding.code,
    startLineNumber,
    startColumn,
    endLineNumber,
    endColumn,
  };
}
