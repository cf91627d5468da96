/** Where other formats put media. A provider that accepts them in a Messages request reads something that this gateway cannot bound. */
export const foreignMediaKeys: readonly string[] = [
  ...['image_url', 'video_url', 'file_url', 'document_url', 'audio_url', 'input_audio', 'input_image', 'input_file'],
  ...['file_data', 'inline_data', 'inlineData'],
];
