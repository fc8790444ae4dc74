/** Resolves when the first screen has had its time: what it does not need is fetched and run behind it. */
export const afterFirstScreen: Promise<void> = new Promise((resolve) => {
  requestIdleCallback(() => resolve(), { timeout: 500 });
});
