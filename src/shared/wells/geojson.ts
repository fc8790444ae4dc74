import type { PlatformEntity } from './wells.ts';

interface Feature {
  readonly type: 'Feature';
  readonly id: string;
  readonly geometry: { readonly type: 'Point'; readonly coordinates: readonly [number, number] } | null;
  readonly properties: Readonly<Record<string, unknown>>;
}

/** A GeoJSON object of RFC 7946. */
export interface FeatureCollection {
  readonly type: 'FeatureCollection';
  readonly features: readonly Feature[];
}

/** Longitude and latitude in degrees; null if a resource has no valid position. */
function coordinatesOf(value: unknown): readonly [number, number] | null {
  if (!Array.isArray(value) || value.length !== 2) return null;
  const [longitude, latitude]: unknown[] = value;
  if (typeof longitude !== 'number' || typeof latitude !== 'number') return null;
  return Math.abs(longitude) <= 180 && Math.abs(latitude) <= 90 ? [longitude, latitude] : null;
}

/** Platform resources as points with their attributes. One without a position has no geometry. */
export function featureCollection(entities: readonly PlatformEntity[]): FeatureCollection {
  const features = entities.map(({ id, type, attributes }): Feature => {
    const { lon_lat: position, ...others } = attributes;
    const coordinates = coordinatesOf(position);
    return {
      type: 'Feature',
      id: `${type}/${id}`,
      geometry: coordinates && { type: 'Point', coordinates },
      properties: { platform_id: id, ...others },
    };
  });
  return { type: 'FeatureCollection', features };
}
