/** Symbol, number of base units in one, other spellings as {@link spellingOf} writes them, reading at zero of the base. */
export type Row = readonly [symbol: string, factor: number, spellings?: string, offset?: number];

const foot = 0.3048;
const minute = 60;

/** Units of logs, reservoirs, production, and perforations, as in {@link unitRows}. */
export const subsurfaceUnitRows = {
  gamma: [['gAPI', 1, 'api gapi apigr apiu']],
  count_rate: [
    ['counts/s', 1, 'cps count/s'],
    ['counts/min', 1 / minute, 'cpm count/min'],
  ],
  resistivity: [['ohm.m', 1, 'ohmm ohmmeter ohmmetre']],
  conductivity: [
    ['S/m', 1, 'mho/m'],
    ['mS/m', 0.001, 'mmho/m mmo/m'],
    ['uS/cm', 1e-4, 'umho/cm'],
    ['mS/cm', 0.1, 'mmho/cm'],
  ],
  permeability: [
    ['mD', 1, 'millidarcy'],
    ['D', 1000, 'darcy'],
  ],
  permeability_thickness: [
    ['mD.m', 1],
    ['mD.ft', foot],
  ],
  productivity: [['bbl/d/psi', 1, 'stb/d/psi bpd/psi b/d/psi']],
  compressibility: [['1/psi', 1, 'v/v/psi vol/vol/psi']],
  gas_oil_ratio: [['scf/bbl', 1, 'scf/stb cf/bbl']],
  shot_density: [
    ['shots/m', 1, 'shot/m'],
    ['shots/ft', 1 / foot, 'shot/ft spf'],
  ],
} as const satisfies Readonly<Record<string, readonly Row[]>>;
