/** Names of items in the predefined records of the Wellsite Information Transfer Specification: mnemonic and description. */
type ItemNames = Readonly<Record<string, readonly [mnemonic: string, description: string]>>;

/** The first items, which are the same in every record. */
const common: ItemNames = {
  '01': ['WELLID', 'Well identifier'],
  '02': ['SKNO', 'Sidetrack or hole section'],
  '03': ['RID', 'Record identifier'],
  '04': ['SQID', 'Sequence identifier'],
  '05': ['DATE', 'Date (YYMMDD)'],
  '06': ['TIME', 'Time (HHMMSS)'],
};

/** Record 1: general, time-based. */
const general: ItemNames = {
  '07': ['ACTC', 'Activity code'],
  '08': ['DBTM', 'Bit depth (measured)'],
  '09': ['DBTV', 'Bit depth (vertical)'],
  '10': ['DMEA', 'Hole depth (measured)'],
  '11': ['DVER', 'Hole depth (vertical)'],
  '12': ['BPOS', 'Block position'],
  '13': ['ROPA', 'Rate of penetration (average)'],
  '14': ['HKLA', 'Hook load (average)'],
  '15': ['HKLX', 'Hook load (maximum)'],
  '16': ['WOBA', 'Weight on bit, surface (average)'],
  '17': ['WOBX', 'Weight on bit, surface (maximum)'],
  '18': ['TQA', 'Rotary torque, surface (average)'],
  '19': ['TQX', 'Rotary torque, surface (maximum)'],
  '20': ['RPMA', 'Rotary speed, surface (average)'],
  '21': ['SPPA', 'Standpipe pressure (average)'],
  '22': ['CHKP', 'Casing (choke) pressure'],
  '23': ['SPM1', 'Pump stroke rate 1'],
  '24': ['SPM2', 'Pump stroke rate 2'],
  '25': ['SPM3', 'Pump stroke rate 3'],
  '26': ['TVA', 'Tank volume (active)'],
  '27': ['TVCA', 'Tank volume change (active)'],
  '28': ['MFOP', 'Mud flow out, percent'],
  '29': ['MFOA', 'Mud flow out (average)'],
  '30': ['MFIA', 'Mud flow in (average)'],
  '31': ['MDOA', 'Mud density out (average)'],
  '32': ['MDIA', 'Mud density in (average)'],
  '33': ['MTOA', 'Mud temperature out (average)'],
  '34': ['MTIA', 'Mud temperature in (average)'],
  '35': ['MCOA', 'Mud conductivity out (average)'],
  '36': ['MCIA', 'Mud conductivity in (average)'],
  '37': ['STKC', 'Pump stroke count (cumulative)'],
  '38': ['LSTK', 'Lag strokes'],
  '39': ['DRTM', 'Depth of returns (measured)'],
  '40': ['GASA', 'Gas (average)'],
};

/** Record 7: survey and directional. */
const survey: ItemNames = {
  '07': ['ACTC', 'Activity code'],
  '08': ['DSVM', 'Depth of survey (measured)'],
  '09': ['DSVV', 'Depth of survey (vertical)'],
  '10': ['PASS', 'Pass number'],
  '11': ['DMEA', 'Hole depth (measured)'],
  '12': ['STYP', 'Survey type'],
  '13': ['SINC', 'Inclination'],
  '14': ['SAZU', 'Azimuth (uncorrected)'],
  '15': ['SAZC', 'Azimuth (corrected)'],
  '16': ['SMTF', 'Magnetic toolface'],
  '17': ['SGTF', 'Gravity toolface'],
  '18': ['SNS', 'North-south position'],
  '19': ['SEW', 'East-west position'],
  '20': ['SDLS', 'Dogleg severity'],
  '21': ['SWLK', 'Rate of walk'],
};

const records: Readonly<Record<string, ItemNames>> = { '01': general, '07': survey };

/**
 * The mnemonic and description of an item. Items without a public name are named by record and item number.
 * @param code four digits: record and item
 */
export function itemName(code: string): { readonly name: string; readonly description: string | null } {
  const record = code.slice(0, 2);
  const item = code.slice(2);
  const entry = common[item] ?? records[record]?.[item];
  if (entry) return { name: entry[0], description: `${entry[1]}, item ${code}` };
  return { name: `record_${Number(record)}_item_${item}`, description: `Item ${code}` };
}
