/** What loggers of wells write where they measured nothing. */
export const sentinel = -999.25;
