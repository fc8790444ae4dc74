import { isObject, type JsonObject, type JsonValue } from '../../../../../shared/json.ts';

const positionNames = ['longitude', 'latitude', 'elevation'];

/** The members of a point, by name; any other geometry stays as it is. */
function placeOf(geometry: JsonValue | undefined): JsonObject {
  if (!isObject(geometry)) return {};
  const { type, coordinates } = geometry;
  const isPoint = type === 'Point' && Array.isArray(coordinates);
  if (!isPoint || !coordinates.every((coordinate) => typeof coordinate === 'number')) return { geometry };
  return Object.fromEntries(
    positionNames.flatMap((name, at) => {
      const value = coordinates[at];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/**
 * The record of an element of a list: of a feature of GeoJSON (RFC 7946), its properties, and the position of a point as
 * longitude and latitude; any other object is a record itself.
 */
export function recordOf(element: JsonObject): JsonObject {
  const { type, properties, geometry, id } = element;
  if (type !== 'Feature' || geometry === undefined || properties === undefined) return element;
  const members = isObject(properties) ? properties : {};
  const added = { ...(id === undefined ? {} : { id }), ...placeOf(geometry) };
  // A property with the name of a member added here keeps its name.
  const isTaken = Object.keys(added).some((name) => Object.hasOwn(members, name));
  return isTaken ? { ...members, feature: added } : { ...members, ...added };
}
