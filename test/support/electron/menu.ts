/** Roles that Electron supports; another one is rejected here, where Electron would show an item without effect. */
const roles = new Set(
  (
    'undo redo cut copy paste pasteAndMatchStyle delete selectAll reload forceReload toggleDevTools resetZoom zoomIn zoomOut ' +
    'togglefullscreen window minimize close help about services hide hideOthers unhide quit startSpeaking stopSpeaking ' +
    'zoom front appMenu fileMenu editMenu viewMenu windowMenu shareMenu recentDocuments clearRecentDocuments'
  ).split(' '),
);

export interface Template {
  id?: string;
  role?: string;
  label?: string;
  type?: string;
  accelerator?: string;
  enabled?: boolean;
  submenu?: Template[];
  click?: () => void;
}

export class MenuItem {
  readonly id: string | undefined;
  readonly role: string | undefined;
  readonly label: string;
  readonly type: string;
  readonly accelerator: string | undefined;
  readonly submenu: Menu | undefined;
  readonly click: () => void;

  constructor({ id, role, label, type, accelerator, submenu, click }: Template) {
    if (role !== undefined && !roles.has(role)) throw new Error(`There is no role ${role}`);
    if (role === undefined && label === undefined && type !== 'separator')
      throw new Error('An item needs a label or a role');
    this.id = id;
    this.role = role;
    this.label = label ?? role ?? '';
    this.type = type ?? (submenu ? 'submenu' : 'normal');
    this.accelerator = accelerator;
    this.submenu = submenu && Menu.buildFromTemplate(submenu);
    this.click = click ?? (() => undefined);
  }
}

/** Electron's Menu: stored and checked, but not drawn. */
export class Menu {
  static #application: Menu | null = null;
  static buildFromTemplate = (template: Template[]): Menu =>
    new Menu(template.map((item) => new MenuItem(item)));
  static getApplicationMenu = (): Menu | null => Menu.#application;
  static setApplicationMenu(menu: Menu | null): void {
    Menu.#application = menu;
  }

  readonly items: readonly MenuItem[];
  private constructor(items: readonly MenuItem[]) {
    this.items = items;
  }

  getMenuItemById(id: string): MenuItem | null {
    for (const item of this.items) {
      const found = item.id === id ? item : item.submenu?.getMenuItemById(id);
      if (found) return found;
    }
    return null;
  }
}
