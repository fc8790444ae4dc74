import { describe, expect, it } from 'vitest';
import { featureCollection } from '../../../src/shared/wells/wells.ts';

const entity = (id: number, attributes: Record<string, unknown>) => ({ id, type: 'well', attributes });

describe('wells as GeoJSON', () => {
  it('are points with their attributes', () => {
    expect(featureCollection([entity(7, { asset_id: 5001, name: 'A 1H', lon_lat: [-102.1, 31.9] })])).toEqual(
      {
        type: 'FeatureCollection',
        features: [
          {
            type: 'Feature',
            id: 'well/7',
            geometry: { type: 'Point', coordinates: [-102.1, 31.9] },
            properties: { platform_id: 7, asset_id: 5001, name: 'A 1H' },
          },
        ],
      },
    );
  });

  it.each([[undefined], [null], ['-102,31'], [[1]], [[200, 10]], [[10, 91]], [['1', '2']]])(
    'have no geometry at %j',
    (position) => {
      expect(featureCollection([entity(1, { lon_lat: position })]).features[0]?.geometry).toBeNull();
    },
  );
});
