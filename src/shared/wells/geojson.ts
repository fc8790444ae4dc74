import { isObject, type JsonObject } from '../json.ts';
import type { PlatformEntity } from './wells.ts';

/** A point with attributes in GeoJSON (RFC 7946). */
type Feature = {
  readonly type: 'Feature';
  readonly id: string;
  readonly geometry: { readonly type: 'Point'; readonly coordinates: [number, number] } | null;
  readonly properties: JsonObject;
};

/** A GeoJSON object of RFC 7946. */
export interface FeatureCollection {
  readonly type: 'FeatureCollection';
  readonly features: readonly Feature[];
}

/** Longitude and latitude in degrees; null if a resource has no valid position. */
function coordinatesOf(value: unknown): [number, number] | null {
  if (!Array.isArray(value) || value.length !== 2) return null;
  const [longitude, latitude]: unknown[] = value;
  if (typeof longitude !== 'number' || typeof latitude !== 'number') return null;
  return Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90 ? [longitude, latitude] : null;
}

/** A platform resource as a point with its attributes. One without a position has no geometry. */
export function featureOf({ id, type, attributes }: PlatformEntity): Feature {
  const { lon_lat: position, ...others } = isObject(attributes) ? attributes : {};
  const coordinates = coordinatesOf(position);
  return {
    type: 'Feature',
    id: `${type}/${id}`,
    geometry: coordinates && { type: 'Point', coordinates },
    properties: { platform_id: id, ...others },
  };
}

/** Platform resources as {@link featureOf} gives them, in one object. */
export const featureCollection = (entities: readonly PlatformEntity[]): FeatureCollection => ({
  type: 'FeatureCollection',
  features: entities.map(featureOf),
});
