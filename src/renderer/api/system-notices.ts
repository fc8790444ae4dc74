/** The browser's notifications; null: unsupported. */
export function systemNotices() {
  if (!('Notification' in globalThis)) return null;
  return {
    /** `default`: not requested. */
    permission: () => Notification.permission,
    /** Call only on a user action. */
    requestPermission: () => Notification.requestPermission(),
    isInFront: () => document.visibilityState === 'visible' && document.hasFocus(),
    /** Shows a notification, replacing one with the same subject. A click on it brings the page to the front. */
    notify(title: string, body: string, of: string): void {
      const notice = new Notification(title, { body, tag: of });
      notice.addEventListener('click', () => {
        window.focus();
        notice.close();
      });
    },
  };
}

export type SystemNotices = NonNullable<ReturnType<typeof systemNotices>>;
