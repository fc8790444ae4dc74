/** A spike deviates by more than this many robust standard deviations. */
export const defaultSpikeThreshold = 8;
/** The smallest number of equal values that can be a flat stretch. */
export const defaultMinFlatRecords = 30;
