import { IANAZone } from 'luxon';

/**
 * The names of three letters that mean one offset in the tz database. Others are old names of Java that people use
 * otherwise: BST would be Dhaka, NST Auckland, AST Anchorage, and CST would follow daylight saving time.
 */
const shortNames = new Set(['UTC', 'GMT', 'UCT', 'EST', 'MST', 'HST', 'CET', 'EET', 'MET', 'WET']);

/** Whether a text is the IANA name of a time zone, such as America/Chicago. */
export const isZoneName = (text: string): boolean =>
  IANAZone.isValidZone(text) && (!/^[a-z]{3}$/i.test(text) || shortNames.has(text.toUpperCase()));
