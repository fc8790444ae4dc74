/** Switches inside the program of the runtime, by the names of `@electron/fuses`. */
export const fuses: Readonly<Record<string, boolean>>;
