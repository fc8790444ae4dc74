import type { DatasetType } from '../../../../src/shared/datasets/datasets.ts';

/** A field of a dataset: its unit, and the range of its sampled values. */
type FieldOf = readonly [unit: string | null, min: number, max: number] | 'text';

interface FixtureDataset {
  readonly type: DatasetType;
  readonly fields: Readonly<Record<string, FieldOf>>;
}

/** Typical datasets: those of the sample workspace, and others with the field's usual names and units. */
export const datasets = {
  /** The sample workspace's `demo/drilling.wits.depth`. */
  depth: {
    type: 'depth',
    fields: {
      dep: ['ft', 0, 14_000],
      tvd: ['ft', 0, 9400],
      ropa: ['ft/h', 0, 210],
      wobavg: ['klbf', 0, 35],
      hkldav: [null, 170, 200],
      rpmsavg: [null, 60, 86],
      tqabav: ['ft·klbf', 0, 17],
      sppavg: ['psi', 0, 3520],
      ghcavg: ['API', 8, 72],
    },
  },
  /** The sample workspace's `demo/wits`. */
  wits: {
    type: 'time',
    fields: {
      hole_depth: ['ft', 0, 14_000],
      bit_depth: ['ft', 0, 14_000],
      block_height: ['ft', 0, 100],
      rop: ['ft/h', 0, 250],
      weight_on_bit: ['klbf', 0, 36],
      hook_load: ['klbf', 40, 240],
      rotary_rpm: ['rpm', 0, 88],
      rotary_torque: ['ft·klbf', 0, 18],
      standpipe_pressure: ['psi', 0, 3500],
      diff_press: ['psi', 0, 360],
      mud_flow_in: ['gal/min', 0, 605],
      pump_spm_total: ['spm', 0, 137],
      gamma_ray: ['API', 30, 130],
      active_pit_volume: ['bbl', 660, 740],
      state: 'text',
    },
  },
  /** A time dataset of a rig with more channels. */
  rig: {
    type: 'time',
    fields: {
      hole_depth: ['ft', 0, 20_000],
      bit_depth: ['ft', 0, 20_000],
      bit_depth_vertical: ['ft', 0, 12_000],
      hole_depth_vertical: ['ft', 0, 12_000],
      block_height_compensated: ['ft', 0, 130],
      hook_load: ['klbf', 0, 600],
      hook_load_max: ['klbf', 0, 600],
      hook_load_min: ['klbf', 0, 600],
      weight_on_bit: ['klbf', 0, 60],
      rop: ['ft/h', 0, 400],
      rotary_torque: ['ft·klbf', 0, 40],
      rotary_rpm: ['rpm', 0, 180],
      standpipe_pressure: ['psi', 0, 5000],
      mud_flow_in: ['gal/min', 0, 1100],
      mud_flow_out: ['gal/min', 0, 1100],
      flow_out_percent: ['%', 0, 100],
      pump_spm_1: ['spm', 0, 120],
      pump_spm_2: ['spm', 0, 120],
      pump_spm_3: ['spm', 0, 120],
      active_pit_volume: ['bbl', 0, 3000],
      total_gas: ['%', 0, 10],
      activity_code: [null, 0, 112],
      cement_flow_in: ['bbl/min', 0, 12],
      cement_density_in: ['lb/gal', 0, 17],
      cement_pump_pressure: ['psi', 0, 5000],
    },
  },
  /** A depth dataset of wireline logs. */
  logs: {
    type: 'depth',
    fields: {
      gamma_ray: ['gAPI', 0, 200],
      spontaneous_potential: ['mV', -150, 100],
      caliper: ['in', 6, 16],
      bulk_density: ['g/cm3', 1.8, 2.9],
      density_correction: ['g/cm3', -0.1, 0.3],
      neutron_porosity: ['v/v', 0, 0.6],
      density_porosity: ['v/v', 0, 0.5],
      compressional_slowness: ['us/ft', 45, 170],
      shear_slowness: ['us/ft', 80, 350],
      photoelectric_factor: ['b/e', 1, 10],
      deep_resistivity: ['ohm.m', 0.2, 2000],
      medium_resistivity: ['ohm.m', 0.2, 2000],
      shallow_resistivity: ['ohm.m', 0.2, 2000],
      flushed_zone_resistivity: ['ohm.m', 0.1, 2000],
      true_resistivity: ['ohm.m', 0.2, 2000],
      effective_porosity: ['v/v', 0, 0.4],
      total_porosity: ['v/v', 0, 0.4],
      water_saturation: ['v/v', 0, 1],
      formation_water_resistivity: ['ohm.m', 0.01, 1],
      borehole_temperature: ['degC', 10, 160],
      potassium: ['%', 0, 6],
      thorium: ['ppm', 0, 30],
      uranium: ['ppm', 0, 20],
      line_tension: ['lbf', 0, 6000],
    },
  },
  /** Core samples. */
  cores: {
    type: 'depth',
    fields: {
      core_porosity: ['%', 0, 40],
      core_permeability_horizontal: ['mD', 0, 20_000],
      core_permeability_vertical: ['mD', 0, 20_000],
      matrix_density: ['g/cm3', 2.5, 2.8],
      water_saturation: ['%', 0, 100],
      oil_saturation: ['%', 0, 100],
    },
  },
  /** Survey stations, one record per station. */
  survey: {
    type: 'depth',
    fields: {
      inclination: ['deg', 0, 95],
      azimuth: ['deg', 0, 360],
      tvd: ['ft', 0, 12_000],
      north_south: ['ft', -9000, 9000],
      east_west: ['ft', -9000, 9000],
      dogleg_severity: ['deg/100ft', 0, 15],
      vertical_section: ['ft', -9000, 9000],
    },
  },
  /** Daily production. */
  production: {
    type: 'time',
    fields: {
      on_stream_hours: ['h', 0, 24],
      bottomhole_pressure: ['bar', 0, 400],
      bottomhole_temperature: ['degC', 0, 120],
      wellhead_pressure: ['bar', 0, 140],
      wellhead_temperature: ['degC', 0, 95],
      annulus_pressure: ['bar', 0, 30],
      choke_size: ['%', 0, 100],
      oil_volume: ['m3', 0, 6000],
      gas_volume: [null, 0, 850_000],
      water_volume: ['m3', 0, 8000],
      water_injection_volume: ['m3', 0, 10_000],
    },
  },
  /** Gauges of an offshore well, in SI units. */
  gauges: {
    type: 'time',
    fields: {
      bottomhole_pressure: ['Pa', 0, 40_000_000],
      tree_pressure: ['Pa', 0, 30_000_000],
      tree_temperature: ['degC', 0, 130],
      choke_upstream_pressure: ['Pa', 0, 20_000_000],
      choke_downstream_temperature: ['degC', 0, 110],
      gas_lift_rate: [null, 0, 5],
    },
  },
  /** Formation tops. */
  tops: {
    type: 'reference',
    fields: { formation_name: 'text', md: ['ft', 1100, 9700], td: ['ft', 1100, 9000], lithology: 'text' },
  },
  /** Perforated intervals. */
  perforations: {
    type: 'reference',
    fields: {
      perforation_top: ['ft', 5000, 20_000],
      perforation_bottom: ['ft', 5000, 20_000],
      perforation_top_vertical: ['ft', 5000, 12_000],
      perforation_bottom_vertical: ['ft', 5000, 12_000],
    },
  },
} as const satisfies Readonly<Record<string, FixtureDataset>>;

export interface RealFile {
  readonly file: string;
  readonly table?: string;
  readonly dataset: keyof typeof datasets;
  /**
   * The field of each column, from the file's own descriptions and units; columns that are not listed have none.
   * Envelope fields have no `data.`.
   */
  readonly columns: Readonly<Record<string, string>>;
}

/** The curves of the log that the LAS standards use as their example. */
const exampleLog = {
  DEPT: 'measured_depth',
  DT: 'data.compressional_slowness',
  NPHI: 'data.neutron_porosity',
  SFLA: 'data.shallow_resistivity',
  ILM: 'data.medium_resistivity',
  ILD: 'data.deep_resistivity',
};
const gaugesOfTree = {
  timestamp: 'timestamp',
  'P-PDG': 'data.bottomhole_pressure',
  'P-TPT': 'data.tree_pressure',
  'T-TPT': 'data.tree_temperature',
};

/** Written by hand from headers, units, descriptions of curves, and SOURCES.md, before any matcher saw the files. */
export const realFiles: readonly RealFile[] = [
  {
    // Every quantity appears twice, with its unit in the name. The surface torque is a hydraulic pressure, not a
    // torque.
    file: 'depth/forge_Well_58-32.csv',
    dataset: 'depth',
    columns: {
      'Depth(ft)': 'measured_depth',
      'ROP(1 ft)': 'data.ropa',
      'weight on bit (k-lbs)': 'data.wobavg',
      'Pump Press (psi)': 'data.sppavg',
      'Hookload (k-lbs)': 'data.hkldav',
      'Rotary Speed (rpm)': 'data.rpmsavg',
    },
  },
  {
    // Time, bit and hole depth, measured and vertical, compensated block position; the time has no unit.
    file: 'time/volve_15_9-F-4_GenTime2_2016.csv',
    dataset: 'rig',
    columns: {
      Time: 'timestamp',
      BITDEP: 'data.bit_depth',
      VDEPTH: 'data.hole_depth_vertical',
      VBITDEP: 'data.bit_depth_vertical',
      MDEPTH: 'data.hole_depth',
      RigActivityCode: 'data.activity_code',
      BLOCKCOMP: 'data.block_height_compensated',
    },
  },
  {
    file: 'time/3w_WELL-00011_20140515110134.csv',
    dataset: 'gauges',
    columns: gaugesOfTree,
  },
  {
    file: 'time/3w_WELL-00004_20140806100103.csv',
    dataset: 'gauges',
    columns: {
      ...gaugesOfTree,
      'P-MON-CKP': 'data.choke_upstream_pressure',
      'T-JUS-CKP': 'data.choke_downstream_temperature',
    },
  },
  {
    file: 'depth/volve_15_9-19.csv',
    dataset: 'logs',
    columns: {
      DEPTH: 'measured_depth',
      CALI: 'data.caliper',
      DT: 'data.compressional_slowness',
      DTS: 'data.shear_slowness',
      GR: 'data.gamma_ray',
      NPHI: 'data.neutron_porosity',
      PHIE: 'data.effective_porosity',
      PHIT: 'data.total_porosity',
      RHOB: 'data.bulk_density',
      RT: 'data.true_resistivity',
      RW: 'data.formation_water_resistivity',
      TEMP: 'data.borehole_temperature',
    },
  },
  {
    file: 'depth/volve_15_9-19A-CORE.csv',
    dataset: 'cores',
    columns: {
      DEPTH: 'measured_depth',
      CKHG: 'data.core_permeability_horizontal',
      CKVG: 'data.core_permeability_vertical',
      CPOR: 'data.core_porosity',
      So: 'data.oil_saturation',
      Sw: 'data.water_saturation',
      CGD: 'data.matrix_density',
    },
  },
  {
    file: 'depth/force2020_data_unsupervised_learning.csv',
    dataset: 'logs',
    columns: {
      RHOB: 'data.bulk_density',
      GR: 'data.gamma_ray',
      DEPTH_MD: 'measured_depth',
      NPHI: 'data.neutron_porosity',
      PEF: 'data.photoelectric_factor',
      DTC: 'data.compressional_slowness',
    },
  },
  {
    // Density curves of the far and near detectors and a resistance in ohm/m have no field; neither do neutron
    // counts.
    file: 'depth/6038187_v1.2.las',
    dataset: 'logs',
    columns: { DEPT: 'measured_depth', CALI: 'data.caliper', SP: 'data.spontaneous_potential' },
  },
  {
    file: 'depth/encodings_cp1252.las',
    dataset: 'logs',
    columns: { ...exampleLog, RHOB: 'data.bulk_density' },
  },
  {
    // The mnemonic of the density differs in case.
    file: 'depth/encodings_utf16lebom.las',
    dataset: 'logs',
    columns: exampleLog,
  },
  {
    file: 'depth/sample.las_units-line.csv',
    dataset: 'logs',
    columns: { ...exampleLog, RHOB: 'data.bulk_density' },
  },
  {
    file: 'formats/las/alberta_00-01-01-073-05W5-0.las',
    dataset: 'logs',
    columns: {
      DEPT: 'measured_depth',
      DPHI: 'data.density_porosity',
      NPHI: 'data.neutron_porosity',
      GR: 'data.gamma_ray',
      CALI: 'data.caliper',
      ILD: 'data.deep_resistivity',
    },
  },
  {
    file: 'formats/las/sample_wrapped_v1.2.las',
    dataset: 'logs',
    columns: {
      DEPT: 'measured_depth',
      DT: 'data.compressional_slowness',
      RHOB: 'data.bulk_density',
      NPHI: 'data.neutron_porosity',
      RX0: 'data.flushed_zone_resistivity',
      RESS: 'data.shallow_resistivity',
      RESM: 'data.medium_resistivity',
      RESD: 'data.deep_resistivity',
      SP: 'data.spontaneous_potential',
      GR: 'data.gamma_ray',
      CALI: 'data.caliper',
      DRHO: 'data.density_correction',
      PEF: 'data.photoelectric_factor',
      PHID: 'data.density_porosity',
      PHIE: 'data.effective_porosity',
      SW: 'data.water_saturation',
    },
  },
  {
    file: 'formats/las/sample_curve_api_v1.2.las',
    dataset: 'logs',
    columns: {
      DEPTH: 'measured_depth',
      RHOB: 'data.bulk_density',
      NPHI: 'data.neutron_porosity',
      MSFL: 'data.flushed_zone_resistivity',
      SFLA: 'data.shallow_resistivity',
      ILM: 'data.medium_resistivity',
      ILD: 'data.deep_resistivity',
      SP: 'data.spontaneous_potential',
    },
  },
  {
    // The file has two calipers, the dataset one. Three resistivities have different depths of investigation.
    file: 'formats/las/example_2_down_log.las',
    dataset: 'logs',
    columns: {
      DEPT: 'measured_depth',
      SP: 'data.spontaneous_potential',
      ILD: 'data.deep_resistivity',
      LLS: 'data.shallow_resistivity',
      MLL: 'data.flushed_zone_resistivity',
      NPHI: 'data.neutron_porosity',
      RHOZ: 'data.bulk_density',
      GRC: 'data.gamma_ray',
      DTP: 'data.compressional_slowness',
    },
  },
  {
    file: 'formats/las/Wellington_KGS-1-32_LASv3.las',
    table: 'ASCII',
    dataset: 'logs',
    columns: {
      DEPT: 'measured_depth',
      TENS: 'data.line_tension',
      RXO: 'data.flushed_zone_resistivity',
      RT: 'data.true_resistivity',
      RHOB: 'data.bulk_density',
      PE: 'data.photoelectric_factor',
      NPHI: 'data.neutron_porosity',
      DRHO: 'data.density_correction',
      DPHI: 'data.density_porosity',
      CALI: 'data.caliper',
      GR: 'data.gamma_ray',
      POTA: 'data.potassium',
      URAN: 'data.uranium',
      THOR: 'data.thorium',
    },
  },
  {
    // TENSION is in counts per second, so it isn't line tension.
    file: 'formats/las/usgs_1609901672340_cp1252.las',
    dataset: 'logs',
    columns: {
      DEPT: 'measured_depth',
      'GAM(NAT)': 'data.gamma_ray',
      TEMP: 'data.borehole_temperature',
      SP: 'data.spontaneous_potential',
    },
  },
  {
    // Descriptions contradict the mnemonics; only the comments in the file say so.
    file: 'formats/las/sample_las3.0_spec.las',
    table: 'ASCII',
    dataset: 'logs',
    columns: { ...exampleLog, RHOB: 'data.bulk_density' },
  },
  {
    file: 'formats/witsml/log_example_1311.xml',
    dataset: 'depth',
    columns: {
      Mdepth: 'measured_depth',
      Vdepth: 'data.tvd',
      ROP: 'data.ropa',
      WOP: 'data.wobavg',
      HKLD: 'data.hkldav',
      'Surf RPM': 'data.rpmsavg',
      'Avg TQ': 'data.tqabav',
    },
  },
  {
    file: 'formats/witsml/volve_F-4_ReamData_depth_1411.xml',
    dataset: 'depth',
    columns: {
      Depth: 'measured_depth',
      HKLD_AVG: 'data.hkldav',
      TORQUE_AVG: 'data.tqabav',
      WOB_AVG: 'data.wobavg',
      PUMP_AVG: 'data.sppavg',
    },
  },
  {
    file: 'formats/witsml/volve_F-4_TripConn_1411.xml',
    dataset: 'rig',
    columns: {
      Time: 'timestamp',
      Depth: 'data.hole_depth',
      HKLD_AVG: 'data.hook_load',
      HKLD_MAX: 'data.hook_load_max',
      HKLD_MIN: 'data.hook_load_min',
      FLOWOUT: 'data.mud_flow_out',
      FLOWOUTPC: 'data.flow_out_percent',
      BLOCKCOMP: 'data.block_height_compensated',
      RigActivityCode: 'data.activity_code',
    },
  },
  {
    file: 'formats/witsml/volve_F-7_CementData_1411.xml',
    dataset: 'rig',
    columns: {
      Time: 'timestamp',
      Depth: 'data.hole_depth',
      HKLD: 'data.hook_load',
      STRATE1: 'data.pump_spm_1',
      STRATE2: 'data.pump_spm_2',
      STRATE3: 'data.pump_spm_3',
      FLOWIN: 'data.mud_flow_in',
      FLOWOUTPC: 'data.flow_out_percent',
      PUMP: 'data.standpipe_pressure',
      BLOCKCOMP: 'data.block_height_compensated',
      RigActivityCode: 'data.activity_code',
      CEMFLOWIN: 'data.cement_flow_in',
      CEMWTIN: 'data.cement_density_in',
      CEMPUMPPR: 'data.cement_pump_pressure',
    },
  },
  {
    file: 'formats/witsml/made_volve_15_9-19_decreasing_1311.xml',
    dataset: 'logs',
    columns: {
      DEPTH: 'measured_depth',
      CALI: 'data.caliper',
      GR: 'data.gamma_ray',
      RT: 'data.true_resistivity',
      NPHI: 'data.neutron_porosity',
      RHOB: 'data.bulk_density',
    },
  },
  {
    // WITS items without units in the stream.
    file: 'formats/wits0/made_volve_F-7_records_1_and_7.wits',
    table: 'record 1',
    dataset: 'wits',
    columns: {
      DATETIME: 'timestamp',
      DBTM: 'data.bit_depth',
      DMEA: 'data.hole_depth',
      BPOS: 'data.block_height',
      ROPA: 'data.rop',
      HKLA: 'data.hook_load',
      WOBA: 'data.weight_on_bit',
      TQA: 'data.rotary_torque',
      RPMA: 'data.rotary_rpm',
      SPPA: 'data.standpipe_pressure',
      TVA: 'data.active_pit_volume',
      MFIA: 'data.mud_flow_in',
    },
  },
  {
    file: 'formats/wits0/made_volve_F-7_records_1_and_7.wits',
    table: 'record 7',
    dataset: 'survey',
    columns: {
      DSVM: 'measured_depth',
      DSVV: 'data.tvd',
      SINC: 'data.inclination',
      SAZC: 'data.azimuth',
      SDLS: 'data.dogleg_severity',
    },
  },
  {
    file: 'reference/volve_15_9-F-12_Survey_Data.csv',
    dataset: 'survey',
    columns: { md: 'measured_depth', inc: 'data.inclination', azi: 'data.azimuth' },
  },
  {
    file: 'formats/xlsx/P-135_deviation_survey.xlsx',
    dataset: 'survey',
    columns: { MD: 'measured_depth', INC: 'data.inclination', AZI: 'data.azimuth' },
  },
  {
    file: 'formats/text/made_survey_15_9-F-12_plain.txt',
    dataset: 'survey',
    columns: { MD: 'measured_depth', INC: 'data.inclination', AZI: 'data.azimuth' },
  },
  {
    file: 'formats/text/made_survey_15_9-F-4.txt',
    dataset: 'survey',
    columns: {
      MD: 'measured_depth',
      'Inclin.': 'data.inclination',
      Azimuth: 'data.azimuth',
      TVD: 'data.tvd',
      'N/S': 'data.north_south',
      'E/W': 'data.east_west',
      'V.Sect.': 'data.vertical_section',
      DLS: 'data.dogleg_severity',
    },
  },
  {
    file: 'formats/text/made_petrel_well_trace_15_9-F-9.dev',
    dataset: 'survey',
    columns: {
      MD: 'measured_depth',
      TVD: 'data.tvd',
      DX: 'data.east_west',
      DY: 'data.north_south',
      AZIM: 'data.azimuth',
      INCL: 'data.inclination',
      DLS: 'data.dogleg_severity',
    },
  },
  {
    // Angles are in degrees and minutes, in two columns each, and distances are deltas: only depths match.
    file: 'formats/xlsx/bsee_julia_directional_survey.xlsx',
    dataset: 'survey',
    columns: { SURVEY_POINT_MD: 'measured_depth', SURVEY_POINT_TVD: 'data.tvd' },
  },
  {
    file: 'formats/xlsx/volve_production_data.xlsx',
    table: 'Dayle',
    dataset: 'production',
    columns: {
      DATEPRD: 'timestamp',
      ON_STREAM_HRS: 'data.on_stream_hours',
      AVG_DOWNHOLE_PRESSURE: 'data.bottomhole_pressure',
      AVG_DOWNHOLE_TEMPERATURE: 'data.bottomhole_temperature',
      AVG_ANNULUS_PRESS: 'data.annulus_pressure',
      AVG_CHOKE_SIZE_P: 'data.choke_size',
      AVG_WHP_P: 'data.wellhead_pressure',
      AVG_WHT_P: 'data.wellhead_temperature',
      BORE_OIL_VOL: 'data.oil_volume',
      BORE_GAS_VOL: 'data.gas_volume',
      BORE_WAT_VOL: 'data.water_volume',
      BORE_WI_VOL: 'data.water_injection_volume',
    },
  },
  {
    file: 'reference/volve_15_9_19_SR_Formations.csv',
    dataset: 'tops',
    columns: { Formation: 'data.formation_name', Top: 'data.md' },
  },
  {
    file: 'completion/bsee_eor_perf_intervals.csv',
    dataset: 'perforations',
    columns: {
      PERF_TOP_MD: 'data.perforation_top',
      PERF_BOTM_TVD: 'data.perforation_bottom_vertical',
      PERF_TOP_TVD: 'data.perforation_top_vertical',
      PERF_BASE_MD: 'data.perforation_bottom',
    },
  },
  // Tables of codes, names, and dates, without a measurement column.
  { file: 'reference/npd_wellbore_casing_and_lot_2013.csv', dataset: 'depth', columns: {} },
  { file: 'reference/bsee_Paleowells.csv', dataset: 'wits', columns: {} },
  { file: 'reference/sodir_fclPoint.csv', dataset: 'wits', columns: {} },
  { file: 'reference/npd_wellboreExplorationAll_2022.csv', dataset: 'logs', columns: {} },
  { file: 'reference/ndic_well_index_excel_damaged.csv', dataset: 'logs', columns: {} },
  { file: 'production/npd_field_production_monthly_2013.csv', dataset: 'wits', columns: {} },
  { file: 'completion/bsee_eor_completionsprop.csv', dataset: 'perforations', columns: {} },
  { file: 'messy/norwegian_data.csv', dataset: 'wits', columns: {} },
  { file: 'messy/utf-16le_encoded.csv', dataset: 'wits', columns: {} },
];
