import { unitOf } from '../../../shared/channels/units.ts';
import { isObject, type JsonObject, type JsonValue, valueUnder } from '../../../shared/json.ts';
import type { SqlColumn } from '../../../shared/sql/sql.ts';
import { textOf } from './statement.ts';

interface ResultColumn {
  readonly name: string;
  /** Null: it has none, or it isn't certain. */
  readonly unit: string | null;
  /** Whether its values aren't those of a table, so that their last digits are those of a calculation. */
  readonly isComputed: boolean;
  /** Of a column of lists: the units of the fields of their items. */
  readonly itemUnits?: Readonly<Record<string, string>> | undefined;
}

/** Null: the names of the columns can't be told by the statement. */
type Columns = readonly ResultColumn[] | null;
type Tables = ReadonlyMap<string, Columns>;
interface Relation {
  readonly name: string;
  readonly columns: Columns;
}
type Fact = Omit<ResultColumn, 'name'>;

/** A statement can name columns without end. */
const maxColumns = 10_000;
const uncertain: Fact = { unit: null, isComputed: true };

/** Functions whose results are one of their values, or between them, and so in their unit. */
const pickingFunctions: ReadonlySet<string> = new Set(
  'min max first last any_value arg_min arg_max min_by max_by mode nullif lag lead first_value last_value'.split(
    ' ',
  ),
);
const averagingFunctions: ReadonlySet<string> = new Set(
  'avg mean median quantile_cont quantile_disc round'.split(' '),
);
/** With a second argument, these return lists. */
const singleArgument: ReadonlySet<string> = new Set(['min', 'max']);
const numberType = /^(?:(?:U?(?:TINY|SMALL|BIG|HUGE))?INT(?:EGER)?|UINTEGER|DOUBLE|FLOAT|DECIMAL)$/;

const objectOf = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {});
const listOf = (value: JsonValue | undefined): JsonObject[] =>
  Array.isArray(value) ? value.filter((item) => isObject(item)) : [];
const hasSome = (node: JsonObject, ...keys: readonly string[]): boolean => keys.some((key) => key in node);

/**
 * The units of the columns of a result that are plainly columns of the tables, and those of a wellpath.
 * @param tree the syntax tree of a statement that has been checked
 * @param tables the columns of the open tables, by name
 * @returns the certain columns, by name; all others have no unit
 */
export function resultColumns(
  tree: JsonValue,
  tables: Readonly<Record<string, { readonly columns: readonly SqlColumn[] }>>,
): ReadonlyMap<string, ResultColumn> {
  const tableColumns = new Map(
    Object.entries(tables).map(([name, { columns }]) => [
      name.toLowerCase(),
      columns.map((column) => ({ ...column, isComputed: false })),
    ]),
  );
  const [statement] = listOf(objectOf(tree)['statements']);
  const columns = columnsOf(objectOf(statement?.['node']), tableColumns) ?? [];
  const certain = Map.groupBy(columns, ({ name }) => name);
  return new Map(
    [...certain].flatMap(([name, [column, ...same]]) =>
      column && same.length === 0 ? [[name, column]] : [],
    ),
  );
}

function columnsOf(node: JsonObject, outer: Tables): Columns {
  if (node['type'] === 'SET_OPERATION_NODE') {
    const [left, right] = [
      columnsOf(objectOf(node['left']), outer),
      columnsOf(objectOf(node['right']), outer),
    ];
    const isByName = textOf(node['setop_type']).endsWith('_BY_NAME');
    if (isByName || !left || left.length !== right?.length) return null;
    return left.map((column, at) => ({
      name: column.name,
      unit: column.unit === right[at]?.unit ? column.unit : null,
      isComputed: column.isComputed || right[at]?.isComputed !== false,
    }));
  }
  if (node['type'] !== 'SELECT_NODE') return null;
  const tables = new Map(outer);
  for (const { key, value } of listOf(objectOf(node['cte_map'])['map'])) {
    const common = objectOf(value);
    const columns = columnsOf(objectOf(objectOf(common['query'])['node']), tables);
    const name = textOf(key).toLowerCase();
    tables.set(name, hasSome(common, 'aliases') ? null : columns);
  }
  const relations = relationsOf(objectOf(node['from_table']), tables);
  const columns = listOf(node['select_list']).map((expression) => selected(expression, relations));
  const all = columns.flatMap((part) => part ?? []);
  return columns.includes(null) || all.length > maxColumns ? null : all;
}

function relationsOf(from: JsonObject, tables: Tables): Relation[] {
  const name = textOf(from['alias']) || textOf(from['table_name']);
  const named = (columns: Columns): Relation[] => [
    { name: name.toLowerCase(), columns: hasSome(from, 'column_name_alias') ? null : columns },
  ];
  switch (textOf(from['type'])) {
    case 'BASE_TABLE':
      return named(tables.get(textOf(from['table_name']).toLowerCase()) ?? null);
    case 'SUBQUERY':
      return named(columnsOf(objectOf(objectOf(from['subquery'])['node']), tables));
    case 'JOIN':
      return [
        ...relationsOf(objectOf(from['left']), tables),
        ...relationsOf(objectOf(from['right']), tables),
      ];
    case 'EMPTY':
      return [];
    default:
      return named(null);
  }
}

/** The columns of a part of the select list. */
function selected(expression: JsonObject, relations: readonly Relation[]): Columns {
  if (expression['class'] === 'STAR') {
    if (hasSome(expression, 'expr', 'columns', 'replace_list', 'rename_list', 'exclude_list', 'unpacked'))
      return null;
    const wanted = textOf(expression['relation_name']).toLowerCase();
    const shown = relations.filter(({ name }) => wanted === '' || name === wanted);
    return shown.some(({ columns }) => columns === null)
      ? null
      : shown.flatMap(({ columns }) => columns ?? []);
  }
  if (expression['function_name'] === 'unnest') return itemsOf(expression, relations);
  const path = Array.isArray(expression['column_names']) ? expression['column_names'] : [];
  const name = textOf(expression['alias']) || textOf(path.at(-1));
  return name === '' ? [] : [{ ...factOf(expression, relations), name }];
}

/** The fields of the items of a list, as the recipes name them. */
function itemsOf(unnest: JsonObject, relations: readonly Relation[]): Columns {
  const [list = {}, option = {}] = listOf(unnest['children']);
  if (list['function_name'] !== 'from_json') return null;
  const [column = {}, structure = {}] = listOf(list['children']);
  if (option['alias'] !== 'recursive') return [{ name: textOf(unnest['alias']), ...uncertain }];
  const { itemUnits = {} } = factOf(column, relations);
  return fieldsOf(textOf(objectOf(structure['value'])['value'])).map((name) => ({
    name,
    unit: valueUnder(itemUnits, name) ?? null,
    isComputed: false,
  }));
}

function fieldsOf(structure: string): string[] {
  try {
    const [item] = listOf(JSON.parse(structure));
    return Object.keys(item ?? {});
  } catch {
    return [];
  }
}

function factOf(expression: JsonObject, relations: readonly Relation[]): Fact {
  const children = listOf(expression['children']);
  const [first = {}] = children;
  switch (textOf(expression['class'])) {
    case 'COLUMN_REF':
      return columnAt(expression['column_names'], relations);
    case 'CAST': {
      const isNumber = numberType.test(textOf(objectOf(expression['cast_type'])['id']));
      return isNumber ? factOf(objectOf(expression['child']), relations) : uncertain;
    }
    case 'FUNCTION':
    case 'WINDOW': {
      const name = textOf(expression['function_name']).toLowerCase();
      if (singleArgument.has(name) && children.length > 1) return uncertain;
      if (pickingFunctions.has(name)) return { ...factOf(first, relations), itemUnits: undefined };
      if (averagingFunctions.has(name)) return { unit: factOf(first, relations).unit, isComputed: true };
      const calculated = [stepUnit, sectionUnit, distanceUnit, arcsUnit].map((unit) =>
        unit(expression, relations),
      );
      return { unit: calculated.find((unit) => unit !== null) ?? null, isComputed: true };
    }
    case 'CASE':
      return { unit: doglegUnit(expression, relations), isComputed: true };
    default:
      return uncertain;
  }
}

function columnAt(path: JsonValue | undefined, relations: readonly Relation[]): Fact {
  const names = (Array.isArray(path) ? path : []).map((name) => textOf(name).toLowerCase());
  const [column = '', relation] = names.toReversed();
  if (names.length > 2) return uncertain;
  const searched = relations.filter(({ name }) => relation === undefined || name === relation);
  if (searched.some(({ columns }) => columns === null)) return uncertain;
  const matches = searched.flatMap(
    ({ columns }) => columns?.filter(({ name }) => name.toLowerCase() === column) ?? [],
  );
  const [match] = matches;
  // The column of a join by USING has one of two units.
  return match && matches.every(({ unit }) => unit === match.unit) ? match : uncertain;
}

const isColumn = (expression: JsonObject | undefined, name: string): boolean =>
  expression?.['class'] === 'COLUMN_REF' && [expression['column_names']].flat().at(-1) === name;

const isCall = (expression: JsonObject | undefined, name: string): boolean =>
  expression?.['class'] === 'FUNCTION' && expression['function_name'] === name;

/** A constant number with its scale; null: it is something else. */
function constantOf(expression: JsonObject | undefined): string | null {
  const { value, type } = objectOf(expression?.['value']);
  const { scale } = objectOf(objectOf(type)['type_info']);
  const isConstant = expression?.['class'] === 'CONSTANT' && typeof value === 'number';
  return isConstant ? `${value} ${typeof scale === 'number' ? scale : 0}` : null;
}

/** The unit of the start of a step, such as `floor(depth / 10) * 10`, or `floor(depth / 0.1 + 1e-6) * 0.1`. */
function stepUnit(expression: JsonObject, relations: readonly Relation[]): string | null {
  const [floor, step] = listOf(expression['children']);
  if (!isCall(expression, '*') || !isCall(floor, 'floor')) return null;
  const [count] = listOf(floor?.['children']);
  const [sum, tolerance] = listOf(count?.['children']);
  const division = isCall(count, '+') && constantOf(tolerance) !== null ? sum : count;
  const [value, by] = listOf(division?.['children']);
  const isSame = constantOf(step) !== null && constantOf(step) === constantOf(by);
  return isCall(division, '/') && value && isSame ? factOf(value, relations).unit : null;
}

/** The unit of a vertical section: the sum of two lengths, each by a sine or cosine. */
function sectionUnit(expression: JsonObject, relations: readonly Relation[]): string | null {
  if (!isCall(expression, '+')) return null;
  const units = listOf(expression['children']).map((product) => {
    const [length, direction] = listOf(product['children']);
    const isShare = isCall(direction, 'cos') || isCall(direction, 'sin');
    return isCall(product, '*') && length && isShare ? factOf(length, relations).unit : null;
  });
  const [unit = null] = units;
  return units.every((other) => other === unit) ? unit : null;
}

/** The unit of the distance of two lengths; those of temperatures would be shown with an offset. */
function distanceUnit(expression: JsonObject, relations: readonly Relation[]): string | null {
  const [from, to] = listOf(expression['children']);
  if (!isCall(expression, '-') || !from || !to) return null;
  const { unit } = factOf(from, relations);
  const isLength = unit !== null && unitOf(unit)?.quantity === 'length';
  return isLength && factOf(to, relations).unit === unit ? unit : null;
}

/** The unit of a coordinate of a wellpath, as its recipe writes it: the sum of the steps, each by a direction. */
function arcsUnit(expression: JsonObject, relations: readonly Relation[]): string | null {
  const [step] = listOf(expression['children']);
  const [half] = listOf(step?.['children']);
  const isSum = expression['class'] === 'WINDOW' && expression['function_name'] === 'sum';
  return isSum && isCall(step, '*') && isColumn(half, 'half') ? columnAt(['length'], relations).unit : null;
}

/** The unit of a dogleg, as the recipe of a wellpath writes it: `degrees(angle) / length * 100`. */
function doglegUnit(expression: JsonObject, relations: readonly Relation[]): string | null {
  const [check] = listOf(expression['case_checks']);
  const rate = objectOf(check?.['then_expr']);
  const [quotient, per] = listOf(rate['children']);
  const [angle, length] = listOf(quotient?.['children']);
  const [, lengths] = /^(\d+) 0$/.exec(constantOf(per) ?? '') ?? [];
  if (!isCall(rate, '*') || !isCall(quotient, '/') || !isCall(angle, 'degrees') || !length) return null;
  const { unit } = factOf(length, relations);
  return unit === null || lengths === undefined ? null : `deg/${lengths}${unitOf(unit)?.symbol ?? unit}`;
}
