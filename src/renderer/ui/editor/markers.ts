import { MarkerSeverity, type editor } from 'monaco-editor/editor';
import type { Finding } from '../../../shared/language/lint/notes.ts';
import { rangeOf } from './providers.ts';

/** Something wrong in the text; lines and columns count from 1. */
export interface Mark {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

/** A mark as wide as the word that it stands at. */
export function markerOf(model: editor.ITextModel, { message, line, column }: Mark): editor.IMarkerData {
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

/** A finding where it was found. */
export function markerOfFinding(model: editor.ITextModel, finding: Finding): editor.IMarkerData {
  const { startLineNumber, startColumn, endLineNumber, endColumn } = rangeOf(model, finding);
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
