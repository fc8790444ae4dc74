/** Symbol, number of base units in one, other spellings as {@link spellingOf} writes them, reading at zero of the base. */
export type Row = readonly [symbol: string, factor: number, spellings?: string, offset?: number];

/**
 * Units of the oil field. Sources: NIST SP 811 (2008), appendix B, for the definitions, all of them exact; Energistics
 * Unit of Measure Standard 1.0 and API/SPE "The SI Metric System of Units" for symbols and for units of the field.
 */
const foot = 0.3048;
const inch = 0.0254;
const pound = 0.45359237;
const gravity = 9.80665;
const poundForce = pound * gravity;
const psi = poundForce / (inch * inch);
const gallon = 231 * inch ** 3;
const barrel = 42 * gallon;
const cubicFoot = foot ** 3;
const degree = Math.PI / 180;
const minute = 60;
const hour = 3600;
const day = 86_400;

/** Units by what they measure; the first of a quantity is its base. */
export const unitRows = {
  length: [
    ['m', 1],
    ['ft', foot, "f ' ftmd fttvd ftkb mdft"],
    ['in', inch, '"'],
    ['mm', 0.001],
    ['cm', 0.01],
    ['km', 1000],
    ['mi', 5280 * foot, 'mile'],
    ['ftUS', 1200 / 3937, 'usft ftussurvey ussurveyft surveyft ft(us) us-ft sft'],
    ['0.1 in', inch / 10, '.1in'],
    ['um', 1e-6, 'micron microns'],
    ['1/64 in', inch / 64, '64thin 64ths 1/64'],
    ['1/32 in', inch / 32, '32ndin 32nds 1/32'],
  ],
  area: [
    ['m2', 1, 'sqm'],
    ['in2', inch * inch, 'sqin'],
    ['ft2', foot * foot, 'sqft'],
    ['cm2', 1e-4, 'sqcm'],
    ['mm2', 1e-6, 'sqmm'],
  ],
  volume: [
    ['m3', 1, 'cum cubicm sm3 stdm3'],
    ['bbl', barrel, 'stb'],
    ['gal', gallon, 'galus usgal'],
    ['L', 0.001, 'l'],
    ['ft3', cubicFoot, 'cuft cubicft'],
    ['cm3', 1e-6, 'cc ml c3'],
    ['in3', inch ** 3, 'cuin'],
  ],
  gas_volume: [
    ['scf', 1, 'cf'],
    ['Mcf', 1e3, 'mscf'],
    ['MMcf', 1e6, 'mmscf'],
    ['Bcf', 1e9, 'bscf'],
  ],
  mass: [
    ['kg', 1, 'kgs'],
    ['lb', pound, 'lbm'],
    ['g', 0.001, 'gm gram'],
    ['mg', 1e-6],
    ['klb', 1000 * pound, 'klbm 1000lb'],
    ['t', 1000, 'tonne mt metricton'],
    ['tonUS', 2000 * pound, 'shortton uston'],
  ],
  force: [
    ['N', 1, 'newton'],
    ['kN', 1e3],
    ['MN', 1e6],
    ['daN', 10],
    ['kdaN', 1e4, '1000dan'],
    ['lbf', poundForce, 'lb'],
    ['klbf', 1000 * poundForce, 'klb 1000lbf 1000lb kip k#'],
    ['kgf', gravity, 'kg'],
    ['tf', 1000 * gravity, 't tonne tonf mt metricton'],
  ],
  pressure: [
    ['Pa', 1, 'pascal'],
    ['kPa', 1e3, 'kpag kpagauge'],
    ['MPa', 1e6, 'mpag'],
    ['GPa', 1e9],
    ['hPa', 100],
    ['bar', 1e5, 'barg bar(g)'],
    ['mbar', 100],
    ['psi', psi, 'psig psi(g) lbf/in2 lb/in2'],
    ['kpsi', 1000 * psi, 'ksi'],
    ['Mpsi', 1e6 * psi],
    ['atm', 101_325],
    ['mmHg', 133.322387415, 'torr'],
    ['inHg', 133.322387415 * 25.4],
    ['kgf/cm2', gravity / 1e-4, 'kg/cm2'],
    ['lbf/100ft2', poundForce / (100 * foot * foot), 'lb/100ft2 lb/100sqft lbf/100sqft lb/hft2 lb/cft2'],
  ],
  absolute_pressure: [
    ['Pa(a)', 1, 'paa'],
    ['kPa(a)', 1e3, 'kpaa kpaabs'],
    ['MPa(a)', 1e6, 'mpaa'],
    ['bar(a)', 1e5, 'bara'],
    ['psi(a)', psi, 'psia'],
  ],
  pressure_gradient: [
    ['Pa/m', 1],
    ['kPa/m', 1e3],
    ['bar/m', 1e5],
    ['psi/ft', psi / foot],
    ['psi/1000ft', psi / (1000 * foot)],
  ],
  density: [
    ['kg/m3', 1, 'k/m3 kgm3'],
    ['g/cm3', 1000, 'g/cc g/c3 gm/cc gm/cm3 gm/c3 g/ml gcc kg/l sg gcm3'],
    ['lb/gal', pound / gallon, 'ppg lbm/gal lbm/galus lb/galus lb/usgal ppa'],
    ['lb/ft3', pound / cubicFoot, 'lbm/ft3 lb/cuft pcf'],
    ['lb/bbl', pound / barrel, 'lbm/bbl ppb'],
    ['lb/Mgal', pound / (1000 * gallon), 'lb/1000gal ppt'],
    ['mg/L', 0.001, 'mg/l'],
    ['g/L', 1, 'g/l'],
  ],
  flow: [
    ['m3/s', 1],
    ['m3/min', 1 / minute],
    ['m3/h', 1 / hour],
    ['m3/d', 1 / day, 'sm3/d'],
    ['L/s', 0.001, 'l/s'],
    ['L/min', 0.001 / minute, 'l/min lpm'],
    ['L/h', 0.001 / hour, 'l/h lph'],
    ['gal/min', gallon / minute, 'gpm galus/min usgal/min usgpm galpm'],
    ['gal/h', gallon / hour, 'gph'],
    ['bbl/min', barrel / minute, 'bpm'],
    ['bbl/h', barrel / hour, 'bph'],
    ['bbl/d', barrel / day, 'bpd bopd bwpd stb/d b/d'],
    ['ft3/min', cubicFoot / minute, 'cfm'],
  ],
  gas_flow: [
    ['scf/d', 1, 'cf/d scfd'],
    ['Mcf/d', 1e3, 'mcfd mscf/d mscfd'],
    ['MMcf/d', 1e6, 'mmcfd mmscf/d mmscfd'],
  ],
  volume_per_stroke: [
    ['m3/stk', 1, 'm3/stroke'],
    ['L/stk', 0.001, 'l/stk l/stroke'],
    ['gal/stk', gallon, 'gal/stroke'],
    ['bbl/stk', barrel, 'bbl/stroke'],
  ],
  volume_per_length: [
    ['m3/m', 1],
    ['L/m', 0.001, 'l/m'],
    ['bbl/ft', barrel / foot],
    ['gal/ft', gallon / foot],
  ],
  speed: [
    ['m/s', 1],
    ['m/min', 1 / minute],
    ['m/h', 1 / hour],
    ['m/d', 1 / day],
    ['ft/d', foot / day],
    ['ft/h', foot / hour, 'fph f/h ftph'],
    ['ft/min', foot / minute, 'fpm f/min'],
    ['ft/s', foot, 'fps f/s'],
    ['km/h', 1000 / hour, 'kph'],
    ['mi/h', (5280 * foot) / hour, 'mile/h'],
    ['knot', 1852 / hour, 'kt knots'],
  ],
  slowness: [
    ['s/m', 1],
    ['us/ft', 1e-6 / foot, 'us/f usec/ft usec/f'],
    ['us/m', 1e-6, 'usec/m'],
    ['min/ft', minute / foot, 'min/f'],
    ['min/m', minute],
    ['ns/m', 1e-9],
  ],
  acceleration: [
    ['m/s2', 1],
    ['gn', gravity, 'g gee'],
    ['mgn', gravity / 1000, 'mg'],
  ],
  torque: [
    ['N.m', 1],
    ['kN.m', 1e3, 'knm'],
    ['daN.m', 10, 'danm'],
    ['lbf.ft', poundForce * foot, 'ftlb ftlbf lbft lbfft'],
    [
      'klbf.ft',
      1000 * poundForce * foot,
      'kftlb kftlbf klbft klbfft ftklb ftklbf kipft ftkip 1000ftlb 1000ftlbf',
    ],
    ['lbf.in', poundForce * inch, 'inlb inlbf lbin lbfin'],
    ['kgf.m', gravity, 'kgm kgfm'],
  ],
  frequency: [
    ['Hz', 1, 'c/s cps rev/s 1/s'],
    ['kHz', 1e3],
    ['rpm', 1 / minute, 'rev/min r/min c/min 1/min cpm'],
    ['spm', 1 / minute, 'stk/min strokes/min stroke/min'],
    ['rad/s', 1 / (2 * Math.PI)],
  ],
  temperature: [
    ['degC', 1, 'c degcel celsius degcelsius centigrade'],
    ['K', 1, 'kelvin degk', 273.15],
    ['degF', 5 / 9, 'f fahrenheit degfahrenheit', 32],
    ['degR', 5 / 9, 'rankine', 491.67],
  ],
  /** Its units have the texts of temperatures; the name of the field tells them apart. */
  temperature_difference: [
    ['deltaC', 1, 'degc c degcel celsius degcelsius centigrade'],
    ['deltaK', 1, 'k kelvin degk'],
    ['deltaF', 5 / 9, 'degf f fahrenheit degfahrenheit'],
    ['deltaR', 5 / 9, 'degr rankine'],
  ],
  temperature_gradient: [
    ['degC/m', 1, 'k/m'],
    ['degC/100m', 0.01, 'degc/hm'],
    ['degF/100ft', 5 / 9 / (100 * foot), 'f/100ft'],
  ],
  angle: [
    ['rad', 1, 'radian'],
    ['deg', degree, 'dega'],
    ['gon', Math.PI / 200, 'grad'],
  ],
  curvature: [
    ['rad/m', 1],
    ['deg/100ft', degree / (100 * foot), 'dega/100ft deg/100f degper100ft'],
    ['deg/30m', degree / 30, 'dega/30m'],
    ['deg/10m', degree / 10, 'dega/10m'],
    ['deg/ft', degree / foot, 'dega/ft'],
    ['deg/m', degree, 'dega/m'],
    ['deg/30ft', degree / (30 * foot), 'dega/30ft'],
  ],
  viscosity: [
    ['Pa.s', 1, 'pas'],
    ['mPa.s', 0.001, 'mpas'],
    ['cP', 0.001, 'centipoise cps'],
    ['P', 0.1, 'poise'],
  ],
  funnel_viscosity: [['s/qt', 1, 's/quart']],
  time: [
    ['s', 1],
    ['ms', 0.001, 'msec'],
    ['us', 1e-6, 'usec'],
    ['ns', 1e-9, 'nsec'],
    ['min', minute],
    ['h', hour],
    ['d', day],
  ],
  ratio: [
    [
      'fraction',
      1,
      'v/v vol/vol dec frac m3/m3 ft3/ft3 v/vdecimal euc decimal cfcf kg/kg g/g 1/1 rb/stb bbl/bbl',
    ],
    ['%', 0.01, 'pct pu lpu percent vol%'],
    ['ppm', 1e-6],
    ['gal/Mgal', 0.001, 'gpt gal/1000gal l/m3'],
  ],
  gas_units: [['gas unit', 1, 'gasunits gu unit units u']],
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
  potential: [
    ['V', 1, 'volt'],
    ['mV', 0.001, 'millivolt'],
  ],
  current: [
    ['A', 1, 'amp'],
    ['mA', 0.001],
  ],
  power: [
    ['W', 1, 'watt'],
    ['kW', 1e3],
    ['hp', 550 * foot * poundForce, 'hhp'],
  ],
  energy: [
    ['J', 1],
    ['kJ', 1e3],
    ['MJ', 1e6],
    ['kW.h', 3.6e6, 'kwh'],
  ],
  linear_density: [
    ['kg/m', 1],
    ['lb/ft', pound / foot, 'ppf lbm/ft'],
  ],
  mass_flow: [
    ['kg/s', 1],
    ['kg/min', 1 / minute],
    ['kg/h', 1 / hour],
    ['t/h', 1000 / hour],
    ['lb/s', pound, 'lbm/s'],
    ['lb/min', pound / minute, 'lbm/min'],
    ['lb/h', pound / hour, 'lbm/h'],
  ],
  magnetic_field: [
    ['T', 1, 'tesla'],
    ['uT', 1e-6],
    ['nT', 1e-9],
    ['G', 1e-4, 'gauss'],
  ],
  photoelectric: [['b/e', 1, 'b/elec barn/elec barns/e barns/electron barn/electron']],
  attenuation: [
    ['dB/m', 1, 'dbm'],
    ['dB/ft', 1 / foot],
  ],
} as const satisfies Readonly<Record<string, readonly Row[]>>;
