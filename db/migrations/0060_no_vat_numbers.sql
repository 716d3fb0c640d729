-- Invoices that were issued keep the number and say what they said of the tax; from all else the number goes.
UPDATE "orders" SET "billing" = "billing" - 'vatNumber' WHERE "invoice_number" IS NULL OR "billing"->>'vatNumber' = '';--> statement-breakpoint
UPDATE "orders" SET "billing" = "billing" || '{"taxNote": "Reverse charge: the tax is to be paid by the recipient (article 196 of directive 2006/112/EC)."}'
WHERE "billing" ? 'vatNumber' AND "billing"->>'country' IN ('AT', 'BE', 'BG', 'CY', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI', 'FR', 'GR', 'HR', 'HU',
	'IE', 'IT', 'LT', 'LU', 'LV', 'MT', 'NL', 'PL', 'PT', 'RO', 'SE', 'SI', 'SK');--> statement-breakpoint
UPDATE "orders" SET "correction" = "correction" #- '{billing,vatNumber}' WHERE "correction"->'billing'->>'vatNumber' = '';--> statement-breakpoint
UPDATE "orders" SET "correction" = jsonb_set("correction", '{billing,taxNote}',
	'"Reverse charge: the tax is to be paid by the recipient (article 196 of directive 2006/112/EC)."')
WHERE "correction"->'billing' ? 'vatNumber' AND "correction"->'billing'->>'country' IN ('AT', 'BE', 'BG', 'CY', 'CZ', 'DE', 'DK', 'EE', 'ES', 'FI',
	'FR', 'GR', 'HR', 'HU', 'IE', 'IT', 'LT', 'LU', 'LV', 'MT', 'NL', 'PL', 'PT', 'RO', 'SE', 'SI', 'SK');--> statement-breakpoint
UPDATE "organisations" SET "billing" = "billing" - 'vatNumber' WHERE "billing" ? 'vatNumber';
