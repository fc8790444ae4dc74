import { accumulators, expressionOperators, writingStages } from '../catalogue.ts';
import { stringifyJson } from '../../json.ts';
import { type Knowledge, type TextKind, knownFields, describeType } from '../knowledge.ts';
import { parseParameter, valueOf } from '../parameters.ts';
import type { Span } from '../reader.ts';
import { isAssetPath } from '../../datasets/datasets.ts';
import { rootRole, walk, type Role } from '../tree/roles.ts';
import { scalarOf } from '../calls.ts';
import { readTree, type Member, type TreeNode } from '../tree/tree.ts';
import { describeField, operatorsOf } from './complete.ts';

export interface Hover extends Span {
  /** The name of the piece. */
  readonly title: string;
  /** Sentences, each a paragraph. */
  readonly says: readonly string[];
}

type HoverText = Omit<Hover, 'start' | 'end'> | null;

const dateOf = (ms: number): string => new Date(ms).toISOString();

/** The description of an operator in its context; the same name can have two meanings. */
function operator(name: string, { is }: Role): HoverText {
  if (writingStages.has(name)) return { title: name, says: ['Writes data. Only read stages are supported.'] };
  const catalogues = operatorsOf[is] ?? [expressionOperators];
  const entry = [...catalogues, accumulators].map((catalogue) => catalogue.get(name)).find(Boolean);
  return entry ? { title: name, says: [entry.says] } : null;
}

function field(path: string, knowledge: Knowledge): HoverText {
  const fieldInfo = knownFields(knowledge).find((item) => item.path === path);
  if (!fieldInfo) return null;
  const type = describeType(fieldInfo);
  const share = (of: number | undefined, source: string) =>
    of === undefined || of === 0
      ? []
      : [`${source} in ${Math.max(1, Math.round(of * 100))}% of the sampled records.`];
  const lines = [
    ...(type ? [`${type[0]?.toUpperCase() ?? ''}${type.slice(1)}.`] : []),
    ...[describeField(fieldInfo)].filter(Boolean),
    ...share(fieldInfo.nulls, 'Null'),
    ...share(fieldInfo.absent, 'Absent'),
  ];
  return { title: path, says: lines };
}

/** The current value of a parameter. */
function parameter(written: string, knowledge: Knowledge, now: number): HoverText {
  const title = `{{${written}}}`;
  const parsed = parseParameter(written);
  if (typeof parsed === 'string') return { title, says: [parsed] };
  if (parsed.kind === 'wells') {
    const ids = [...new Set(knowledge.values.wells)];
    const named = ids.map((id) => knowledge.wells.find((well) => well.assetId === id)?.name);
    const all = ids.slice(0, 10).map((id, at) => (named[at] ? `${named[at]} (${id})` : String(id)));
    const rest = ids.length > 10 ? ` and ${ids.length - 10} more` : '';
    if (ids.length > 0) return { title, says: [`Selected wells, currently ${all.join(', ')}${rest}.`] };
  }
  const value = valueOf(parsed, { ...knowledge.values, now }, new Map());
  if (typeof value === 'string') {
    const questionText =
      parsed.kind === 'ask' ? [`You enter it before the query runs: ${parsed.type ?? 'any value'}.`] : [];
    return { title, says: [...questionText, value] };
  }
  if (value.kind === 'date') return { title, says: [`Now ${dateOf(value.ms)}, that is ${value.ms}.`] };
  return { title, says: [`Now ${stringifyJson(value.kind === 'wells' ? [...value.ids] : value.value)}.`] };
}

/** A number that represents a time or a well. */
function scalar(node: TreeNode, role: Role, text: string, knowledge: Knowledge): HoverText {
  const source = scalarOf(text, node);
  if (source?.kind === 'date')
    return { title: text.slice(node.start, node.end), says: [`${source.ms} in Unix milliseconds.`] };
  if (source?.kind === 'text' && source.value.startsWith('$'))
    return field(source.value.replace(/^\$+/, ''), knowledge);
  if (source?.kind !== 'number' || (role.is !== 'condition' && role.is !== 'value')) return null;
  const amount = Number(source.value);
  if (role.field === 'timestamp' && Math.abs(amount) <= 8.64e15)
    return { title: String(source.value), says: [`${dateOf(amount)}.`] };
  const well = isAssetPath(role.field) && knowledge.wells.find(({ assetId }) => assetId === amount);
  return well ? { title: String(source.value), says: [`The well ${well.name}.`] } : null;
}

/** The hover text at an offset; null if there is none. Pure, except for the given current time. */
export function hoverAt(
  text: string,
  kind: TextKind,
  offset: number,
  knowledge: Knowledge,
  now: number,
): Hover | null {
  const { root } = readTree(text);
  const holds = ({ start, end }: Span) => start <= offset && offset < end;
  let hover: Hover | null = null;
  const withSpan = (span: Span, content: HoverText) => {
    if (content) hover = { ...content, start: span.start, end: span.end };
  };
  const name = ({ key }: Member, role: Role) =>
    withSpan(key, key.name.startsWith('$') ? operator(key.name, role) : field(key.name, knowledge));
  if (root) {
    walk(root, rootRole(kind), (node, role) => {
      if (!holds(node)) return;
      if (node.kind === 'object')
        node.members.filter(({ key }) => holds(key)).forEach((member) => name(member, role));
      else if (node.kind === 'parameter')
        withSpan(node, parameter(text.slice(node.start + 2, node.end - 2).trim(), knowledge, now));
      else if (node.kind !== 'list') withSpan(node, scalar(node, role, text, knowledge));
    });
  }
  return hover;
}
