/** The browser's notifications. */
export interface SystemNotices {
  /** The permission; `default`: not requested. */
  readonly permission: () => NotificationPermission;
  /** Requests the permission. Call only on a user action. */
  readonly requestPermission: () => Promise<NotificationPermission>;
  /** Whether the page is in front. */
  readonly isInFront: () => boolean;
  /**
   * Shows a notification, replacing one with the same subject. A click on it brings the page to the front.
   */
  readonly notify: (title: string, body: string, of: string) => void;
}

/** The browser's notifications; null: unsupported. */
export function systemNotices(): SystemNotices | null {
  if (!('Notification' in globalThis)) return null;
  return {
    permission: () => Notification.permission,
    requestPermission: () => Notification.requestPermission(),
    isInFront: () => document.visibilityState === 'visible' && document.hasFocus(),
    notify(title, body, of) {
      const notice = new Notification(title, { body, tag: of });
      notice.addEventListener('click', () => {
        window.focus();
        notice.close();
      });
    },
  };
}
