/** Names of the conditions that lessons meet, by their codes, as the manual of PostgreSQL has them (appendix A). */
export const CONDITIONS: Readonly<Record<string, string>> = {
  '0A000': 'feature_not_supported',
  '21000': 'cardinality_violation',
  '22001': 'string_data_right_truncation',
  '22003': 'numeric_value_out_of_range',
  '22007': 'invalid_datetime_format',
  '22008': 'datetime_field_overflow',
  '22012': 'division_by_zero',
  '22023': 'invalid_parameter_value',
  '22P02': 'invalid_text_representation',
  '23001': 'restrict_violation',
  '23502': 'not_null_violation',
  '23503': 'foreign_key_violation',
  '23505': 'unique_violation',
  '23514': 'check_violation',
  '23P01': 'exclusion_violation',
  '25001': 'active_sql_transaction',
  '25P02': 'in_failed_sql_transaction',
  '2BP01': 'dependent_objects_still_exist',
  '42501': 'insufficient_privilege',
  '42601': 'syntax_error',
  '42701': 'duplicate_column',
  '42702': 'ambiguous_column',
  '42703': 'undefined_column',
  '42704': 'undefined_object',
  '42710': 'duplicate_object',
  '42712': 'duplicate_alias',
  '42803': 'grouping_error',
  '42804': 'datatype_mismatch',
  '42883': 'undefined_function',
  '42P01': 'undefined_table',
  '42P07': 'duplicate_table',
  '42P10': 'invalid_column_reference',
  '42P18': 'indeterminate_datatype',
  '42P20': 'windowing_error',
  '428C9': 'generated_always',
  '44000': 'with_check_option_violation',
  '53100': 'disk_full',
  '53200': 'out_of_memory',
  '54001': 'statement_too_complex',
  P0001: 'raise_exception',
};

/** Codes of a text that is no sound program, whatever the tables hold. */
export const isSyntax = (code: string): boolean => code === '42601';

/** Codes of a statement that had no more room. */
export const isRoom = (code: string): boolean => code === '53200' || code === '53100' || code === '53400';
