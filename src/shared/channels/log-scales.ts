import type { Channel } from './channels.ts';

export interface LogScale {
  /** Channels of one track have the same one; null: a track of its own. */
  readonly track: 'lithology' | 'resistivity' | 'porosity' | 'sonic' | 'spectral' | 'saturation' | null;
  readonly left: number;
  readonly right: number;
  readonly unit: string;
  readonly isLog: boolean;
}

const porosity: LogScale = { track: 'porosity', left: 0.45, right: -0.15, unit: 'fraction', isLog: false };
const gamma: LogScale = { track: 'lithology', left: 0, right: 150, unit: 'gAPI', isLog: false };
const diameter: LogScale = { track: 'lithology', left: 6, right: 16, unit: 'in', isLog: false };
const resistivity: LogScale = { track: 'resistivity', left: 0.2, right: 2000, unit: 'ohm.m', isLog: true };
const slowness: LogScale = { track: 'sonic', left: 240, right: 40, unit: 'us/ft', isLog: false };
const rate: LogScale = { track: null, left: 500, right: 0, unit: 'ft/h', isLog: false };
const share: LogScale = { track: 'saturation', left: 1, right: 0, unit: 'fraction', isLog: false };
const permeability: LogScale = { track: null, left: 0.01, right: 10_000, unit: 'mD', isLog: true };

const scales: Readonly<Record<string, LogScale>> = {
  gamma_ray: gamma,
  gamma_ray_total: gamma,
  gamma_ray_computed: gamma,
  spontaneous_potential: { track: 'lithology', left: -160, right: 40, unit: 'mV', isLog: false },
  caliper: diameter,
  bit_size: diameter,
  bulk_density: { track: 'porosity', left: 1.95, right: 2.95, unit: 'g/cm3', isLog: false },
  neutron_porosity: porosity,
  neutron_porosity_limestone: porosity,
  neutron_porosity_sandstone: porosity,
  neutron_porosity_dolomite: porosity,
  density_porosity: porosity,
  density_porosity_limestone: porosity,
  density_porosity_sandstone: porosity,
  density_porosity_dolomite: porosity,
  sonic_porosity: porosity,
  effective_porosity: porosity,
  total_porosity: porosity,
  density_correction: { track: null, left: -0.25, right: 0.25, unit: 'g/cm3', isLog: false },
  photoelectric_factor: { track: null, left: 0, right: 10, unit: 'b/e', isLog: false },
  compressional_slowness: slowness,
  shear_slowness: { ...slowness, left: 440 },
  potassium: { track: 'spectral', left: 0, right: 0.1, unit: 'fraction', isLog: false },
  thorium: { track: 'spectral', left: 0, right: 40, unit: 'ppm', isLog: false },
  uranium: { track: 'spectral', left: 0, right: 20, unit: 'ppm', isLog: false },
  water_saturation: share,
  shale_volume: { ...share, left: 0, right: 1 },
  permeability,
  core_permeability_horizontal: permeability,
  core_permeability_vertical: permeability,
  rop: rate,
  rop_instantaneous: rate,
};

/** Resistivities of muds and of water are not of the formation. */
const otherResistivity = /mud|water|fluid/;

/**
 * The scale on which logs print a channel, by the practice of the field.
 * @returns null: there is none in common use, so the values decide
 */
export function logScaleOf({ name, quantity }: Channel): LogScale | null {
  if (quantity === 'resistivity' && !otherResistivity.test(name)) return resistivity;
  return scales[name] ?? null;
}
