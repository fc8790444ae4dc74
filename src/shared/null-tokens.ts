// By itself, without a schema: threads of the window read it, and need nothing else.

/** Numbers that loggers write where they have no value. */
export const nullTokens: readonly number[] = [-999.25, -999, -9999, -9999.25, -99999];
