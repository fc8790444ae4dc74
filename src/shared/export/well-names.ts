/** The paths of a record's well, and the path of its name beside each in an export with well names. */
export const wellNamePaths: ReadonlyMap<string, string> = new Map([
  ['asset_id', 'well_name'],
  ['metadata.asset_id', 'metadata.well_name'],
]);
