// The editor's worker, for links, brackets, and diffs.
import 'monaco-editor/editor/editor.worker';
