import type { Span } from '../reader.ts';
import { elementRole, memberRole, type Role } from '../tree/roles.ts';
import type { ListNode, Member, ObjectNode, Tree, TreeNode } from '../tree/tree.ts';

/** The context of the caret in a query: what is allowed there, and the text that a suggestion replaces. */
export interface CaretContext {
  /** `name`: of an object with `role`; `value`: one with `role`. */
  readonly at: 'name' | 'value';
  readonly role: Role;
  /** The partially typed text; empty if none. */
  readonly replace: Span;
  /** The other names of the object. */
  readonly beside: ReadonlySet<string>;
  /** Whether a colon follows the name already. */
  readonly hasColon: boolean;
  /** The pipeline around it, and which of its stages this is in. */
  readonly pipeline: { readonly list: ListNode; readonly stage: number } | null;
}

const none: ReadonlySet<string> = new Set();

/** Finds the caret's context at an offset; null where there is none, as in a comment. */
export function caretContextAt(tree: Tree, root: Role, offset: number): CaretContext | null {
  if (tree.comments.some(({ start, end }) => start < offset && offset <= end)) return null;
  return new CaretFinder(tree.text, offset).value(tree.root, root);
}

class CaretFinder {
  private readonly text: string;
  private readonly offset: number;
  private pipeline: CaretContext['pipeline'] = null;

  constructor(text: string, offset: number) {
    this.text = text;
    this.offset = offset;
  }

  private spot(at: CaretContext['at'], role: Role, replace?: Span): CaretContext {
    const empty = { start: this.offset, end: this.offset };
    const { pipeline } = this;
    return { at, role, replace: replace ?? empty, beside: none, hasColon: false, pipeline };
  }

  private touches({ start, end }: Span): boolean {
    return start <= this.offset && this.offset <= end;
  }

  /** Strictly inside brackets, or after unclosed ones. */
  private isInside(node: ObjectNode | ListNode): boolean {
    return node.start < this.offset && (this.offset < node.end || !node.closed);
  }

  private hasComma(from: number): boolean {
    return this.text.slice(from, this.offset).includes(',');
  }

  value(node: TreeNode | null, role: Role): CaretContext | null {
    if (!node) return this.spot('value', role);
    if (node.kind === 'object') return this.isInside(node) ? this.object(node, role) : null;
    if (node.kind === 'list') return this.isInside(node) ? this.list(node, role) : null;
    return this.touches(node) && node.kind !== 'call' ? this.spot('value', role, node) : null;
  }

  private list(node: ListNode, role: Role): CaretContext | null {
    const at = node.items.findIndex((item) => this.touches(item));
    const before = node.items.filter(({ end }) => end <= this.offset).length;
    if (role.is === 'stages') this.pipeline = { list: node, stage: at < 0 ? before : at };
    const inside = elementRole(role);
    const item = node.items[at];
    if (item) {
      const spot = this.value(item, inside);
      if (spot || this.offset < item.end) return spot;
    }
    const last = node.items[before - 1];
    return last && !this.hasComma(last.end) ? null : this.spot('value', inside);
  }

  private object(node: ObjectNode, role: Role): CaretContext | null {
    const member = node.members.findLast(({ start }) => start <= this.offset);
    const siblingNames = new Set(
      node.members.filter((sibling) => sibling !== member).map(({ key }) => key.name),
    );
    if (!member) return { ...this.spot('name', role), beside: siblingNames };
    if (this.touches(member.key)) {
      return {
        ...this.spot('name', role, member.key),
        beside: siblingNames,
        hasColon: member.colon !== null,
      };
    }
    return this.behindName(member, role, new Set([...siblingNames, member.key.name]));
  }

  private behindName(
    { key, colon, value }: Member,
    role: Role,
    names: ReadonlySet<string>,
  ): CaretContext | null {
    const inside = memberRole(role, key.name);
    const nextName = (): CaretContext => ({ ...this.spot('name', role), beside: names });
    if (colon === null) return this.hasComma(key.end) ? nextName() : null;
    if (this.offset <= colon) return null;
    if (!value) return this.hasComma(colon) ? nextName() : this.spot('value', inside);
    if (this.offset < value.start) return this.spot('value', inside);
    const spot = this.value(value, inside);
    if (spot || this.offset < value.end) return spot;
    return this.hasComma(value.end) ? nextName() : null;
  }
}
