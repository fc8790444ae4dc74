/** The system's notifications, as far as a page may send any. */
export interface SystemNotices {
  /** Whether the person lets us; `default`: they were not asked. */
  readonly permission: () => NotificationPermission;
  /** Asks the person, by the browser's own question. To be called when they press something only. */
  readonly ask: () => Promise<NotificationPermission>;
  /** Whether the page is in front, where the person sees for themselves. */
  readonly watched: () => boolean;
  /** Tells something; what was told of the same thing before gives way. A press on it brings the page to the front. */
  readonly tell: (title: string, body: string, of: string) => void;
}

/** The notifications of this browser; null: it has none. */
export function systemNotices(): SystemNotices | null {
  if (!('Notification' in globalThis)) return null;
  return {
    permission: () => Notification.permission,
    ask: () => Notification.requestPermission(),
    watched: () => document.visibilityState === 'visible' && document.hasFocus(),
    tell(title, body, of) {
      const notice = new Notification(title, { body, tag: of });
      notice.addEventListener('click', () => {
        window.focus();
        notice.close();
      });
    },
  };
}
