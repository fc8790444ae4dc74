import type { Knowledge } from '../knowledge.ts';
import type { Span } from '../reader.ts';
import type { Role } from '../tree/roles.ts';
import type { TreeNode } from '../tree/tree.ts';
import type { Remark } from './notes.ts';

/** What every rule is given. */
export interface Case {
  readonly text: string;
  readonly knowledge: Knowledge;
  readonly note: (span: Span, remark: Remark) => void;
}

/** Looks at one piece in its place. */
export type Rule = (node: TreeNode, role: Role, of: Case) => void;

/** The piece as it was typed. */
export const said = ({ text }: Case, { start, end }: Span): string => text.slice(start, end);
