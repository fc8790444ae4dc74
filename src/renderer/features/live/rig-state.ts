const stateNames: ReadonlySet<string> = new Set([
  'state',
  'rig_state',
  'rigstate',
  'activity',
  'rig_activity',
]);

/**
 * Whether a channel has the state of the rig, by its name.
 * @param name the last name of its path
 * @returns false for all other channels
 */
export const isRigState = (name: string): boolean => stateNames.has(name.toLowerCase());
