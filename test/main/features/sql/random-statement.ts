export interface StatementNames {
  /** Open tables, with a column that each has. */
  readonly tables: readonly string[];
  readonly column: string;
  /** What no statement may read, as text: paths, and views of the engine. */
  readonly secrets: readonly string[];
}

/**
 * A random statement: tables of WITH at any depth that are called like tables, files, and the engine's own views;
 * subqueries in every clause, set operations, lateral joins, odd quotes, comments, and functions that are refused.
 */
export function randomStatement(random: () => number, { tables, column, secrets }: StatementNames): string {
  const below = (count: number): number => Math.floor(random() * count);
  const pick = <T>(items: readonly [T, ...T[]]): T => items[below(items.length)] ?? items[0];
  const any = (items: readonly string[]): string => items[below(items.length)] ?? '';
  const often = (share: number): boolean => random() < share;
  // Few names in a statement, so that they are in and out of scope by turns.
  const secret = any(secrets);
  const plainNames = often(0.7)
    ? [any(['a', 'b', 'Ünï', 'x y', 'select']), any(tables), secret]
    : ['a', 'b', 'c', ...tables, ...secrets];

  const comment = (): string =>
    pick(['/* "a" */', "-- it's\n", '/* /* b */ */', '\t', '\r\n', '\u00a0', ' ']);
  const space = (): string => (often(0.05) ? ` ${comment()} ` : ' ');
  const quotedName = (name: string): string => `"${name.replaceAll('"', '""')}"`;
  const text = (value: string): string =>
    pick([
      () => `'${value.replaceAll("'", "''")}'`,
      () => `$$${value}$$`,
      () => `$q$${value}$q$`,
      () => `E'${value.replaceAll('\\', '\\\\').replaceAll('a', '\\x61').replaceAll("'", "''")}'`,
      () => `U&'${value.replaceAll('a', '\\0061')}'`,
    ])();
  const nameText = (name: string): string =>
    pick([
      () => quotedName(name),
      () => quotedName(name),
      () => (/^[a-z]\w*$/i.test(name) ? name : quotedName(name)),
      () => quotedName(name.toUpperCase()),
      () => `'${name.replaceAll("'", "''")}'`,
      () => `U&${quotedName(name.replaceAll('s', '\\0073'))}`,
    ])();
  const newName = (): string => any(plainNames);
  const tableName = (): string => {
    const name = nameText(any(often(0.6) ? tables : plainNames));
    if (often(0.03)) return `${pick(['main', 'memory.main', 'system.main', 'temp', 'pg_catalog'])}.${name}`;
    return name;
  };

  const call = (depth: number): string => {
    const name = pick([
      'range',
      'unnest',
      'generate_series',
      'repeat',
      'read_text',
      'read_csv',
      'read_json',
      'read_parquet',
      'parquet_scan',
      'glob',
      'sniff_csv',
      'query',
      'query_table',
      'duckdb_settings',
      'json_execute_serialized_sql',
      '"read_blob"',
      'system.main.read_text',
    ]);
    const argument = pick([
      () => text(any(secrets)),
      () => '3',
      () => `(${query(depth - 1)})`,
      () => `[${text(any(secrets))}]`,
      () => text(`SELECT * FROM '${any(secrets)}'`),
    ])();
    return `${name}(${argument})`;
  };

  const source = (depth: number): string => {
    if (depth <= 0 || often(0.4)) return tableName();
    return pick<() => string>([
      () => tableName(),
      () => (often(0.4) ? call(depth) : 'range(3)'),
      () => `(${query(depth - 1)})${space()}AS${space()}${quotedName(any(plainNames))}`,
      () =>
        `(${source(depth - 1)} ${pick(['CROSS', 'POSITIONAL', 'LEFT', 'ASOF'])} JOIN ${source(depth - 1)} ${pick(['', 'ON true', `USING (${column})`])})`,
      () => `${source(depth - 1)}, LATERAL (${query(depth - 1)}) ${quotedName(`l${below(9)}`)}`,
      () => `(VALUES (${value(depth - 1)})) v(${column})`,
      () => `(PIVOT ${tableName()} ON ${column} IN (1) USING count(*))`,
      () => `(${pick(['DESCRIBE', 'SUMMARIZE', 'SHOW'])} ${tableName()})`,
    ])();
  };

  const value = (depth: number): string => {
    if (depth <= 0) return pick([column, '1', 'NULL', `count(*)`, text('a')]);
    return pick<() => string>([
      () => column,
      () => `(${query(depth - 1)})`,
      () => `(SELECT count(*) FROM ${source(depth - 1)})`,
      () => `EXISTS (${query(depth - 1)})`,
      () => `${value(depth - 1)} IN (${query(depth - 1)})`,
      () => `CASE WHEN ${value(depth - 1)} IS NULL THEN ${value(depth - 1)} END`,
      () => `list_transform([1], x -> ${value(depth - 1)})`,
      () => `array(${query(depth - 1)})`,
      () => `max(${value(depth - 1)}) OVER ()`,
      () =>
        `${pick(['current_setting', 'getvariable', 'json_serialize_plan', 'pg_get_viewdef', 'upper', 'typeof'])}(${text(pick(['temp_directory', any(secrets), `FROM '${secret}'`]))})`,
      () => `${text(any(secrets))}.${pick(['upper', 'current_setting', 'json_serialize_sql'])}()`,
      () => `COLUMNS(*)::VARCHAR`,
    ])();
  };

  const withTables = (depth: number): string => {
    const isRecursive = often(0.3);
    const common = Array.from({ length: 1 + below(3) }, () => {
      const name = quotedName(newName());
      const inner = often(0.3) ? `SELECT * FROM ${name}` : query(depth - 1);
      const body = isRecursive && often(0.5) ? `SELECT 1 UNION SELECT * FROM ${name} LIMIT 5` : inner;
      return `${name}${pick(['', `(${column})`])} AS ${pick(['', 'MATERIALIZED ', 'NOT MATERIALIZED '])}(${body})`;
    });
    return `WITH ${isRecursive ? 'RECURSIVE ' : ''}${common.join(', ')}${space()}`;
  };

  function query(depth: number): string {
    const head = depth > 0 && often(0.35) ? withTables(depth) : '';
    if (depth > 0 && often(0.2))
      return `${head}(${query(depth - 1)})${space()}${pick(['UNION', 'UNION ALL', 'UNION ALL BY NAME', 'EXCEPT', 'INTERSECT'])} (${query(depth - 1)})`;
    if (often(0.08)) return `${head}${pick(['TABLE', 'FROM', 'DESCRIBE', 'SUMMARIZE'])} ${tableName()}`;
    const parts = [
      `SELECT${space()}${pick(['*', '*', column, 'count(*)', value(depth)])}`,
      `FROM${space()}${source(depth)}`,
      often(0.2) ? `WHERE ${value(depth - 1)} IS NOT NULL` : '',
      often(0.1) ? `GROUP BY ALL HAVING ${value(depth - 1)} IS NULL` : '',
      often(0.1) ? `QUALIFY row_number() OVER (ORDER BY ${value(depth - 1)}) < 3` : '',
      often(0.1) ? `ORDER BY ${value(depth - 1)}` : '',
      often(0.2) ? `LIMIT ${often(0.5) ? '3' : `(${query(depth - 1)})`}` : '',
      often(0.05) ? 'TABLESAMPLE 50%' : '',
    ];
    return `${head}${parts.filter((part) => part !== '').join(space())}`;
  }

  const statement = query(1 + below(4));
  if (often(0.03)) return `${statement};${query(1)}`;
  if (often(0.02))
    return `${pick(['EXPLAIN', 'COPY', 'PREPARE q AS', 'CREATE VIEW v AS', 'EXPLAIN ANALYZE'])} ${statement}`;
  return statement;
}
