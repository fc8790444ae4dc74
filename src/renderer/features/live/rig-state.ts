const stateNames: ReadonlySet<string> = new Set([
  'state',
  'rig_state',
  'rigstate',
  'activity',
  'rig_activity',
]);

/** Whether a channel has the state of the rig. @param name the last name of its path */
export const isRigState = (name: string): boolean => stateNames.has(name.toLowerCase());
