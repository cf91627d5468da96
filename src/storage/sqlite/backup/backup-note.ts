/** The file of a data folder that says when its last backup was made: `{ "at": ISO time, "folder": path }`. */
export const BACKUP_NOTE = 'last-backup.json';
