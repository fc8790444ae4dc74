import { isUtf8 } from 'node:buffer';
import { DuckDBBlobValue, DuckDBFloatType, type DuckDBValue, type DuckDBVector } from '@duckdb/node-api';
import { isUnmarkedInstant, type SchemaElement } from '../../../duckdb/parquet-schema.ts';
import { isNested, jsonOf, shortFloat, timeText } from '../../../duckdb/values.ts';

/** Bytes as text; those that aren't text, and those of a fixed length, as Base64. */
function bytesText({ bytes }: DuckDBBlobValue, { type }: SchemaElement): string {
  const content = Buffer.from(bytes);
  return content.toString(type === 'BYTE_ARRAY' && isUtf8(content) ? 'utf8' : 'base64');
}

/**
 * The values of a column as the texts of cells; null: no value.
 * @param element the column in the file's schema
 */
export function cellTexts(vector: DuckDBVector, element: SchemaElement): (string | null)[] {
  const { type } = vector;
  const isFloat = type instanceof DuckDBFloatType;
  const suffix = isUnmarkedInstant(element) ? 'Z' : '';
  const textOf = (value: DuckDBValue): string | null => {
    if (value === null || value === '') return null;
    if (typeof value === 'number') {
      if (Number.isNaN(value)) return null;
      return String(isFloat ? shortFloat(value) : value);
    }
    if (typeof value !== 'object') return String(value);
    const time = timeText(value);
    if (time !== null) return time + suffix;
    if (value instanceof DuckDBBlobValue) return bytesText(value, element) || null;
    return isNested(type) ? jsonOf(value, type, 'record') : String(value);
  };
  return Array.from({ length: vector.itemCount }, (_, row) => textOf(vector.getItem(row)));
}
