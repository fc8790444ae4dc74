// The editor's own thread: links, brackets and diffs are computed here.
import 'monaco-editor/editor/editor.worker';
