//! The scalar functions.

use std::fmt::Write;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, Int64Array, StringArray, StructArray};
use arrow_buffer::{BooleanBufferBuilder, NullBuffer};
use arrow_schema::{ArrowError, DataType, Field, FieldRef, Fields};
use datafusion_common::{DataFusionError, Result, ScalarValue, exec_err, plan_err};
use datafusion_expr::registry::FunctionRegistry;
use datafusion_expr::{
    ColumnarValue, ReturnFieldArgs, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use fastutf_arrow::{Encoding, Policy, TextError, decode_any, encode_any, errors, is_well_formed};

/// Registers all functions in a `SessionContext`, or in anything else that has functions. Ballista's scheduler, executors
/// and clients each need it: functions travel by name.
///
/// # Errors
///
/// That of a registry that takes no functions. A `SessionContext` takes them.
///
/// ```
/// use datafusion::execution::FunctionRegistry;
/// use datafusion::prelude::SessionContext;
///
/// let mut context = SessionContext::new();
/// fastutf_datafusion::register(&mut context)?;
/// assert!(context.udf("utf16le_decode").is_ok());
/// # Ok::<(), datafusion::error::DataFusionError>(())
/// ```
pub fn register(registry: &mut dyn FunctionRegistry) -> Result<()> {
    for function in functions() {
        registry.register_udf(function)?;
    }
    Ok(())
}

/// Returns all functions, for a registry that is built from a list.
///
/// ```
/// let names: Vec<_> = fastutf_datafusion::functions().iter().map(|f| f.name().to_string()).collect();
/// assert!(names.contains(&"is_valid_utf8".to_string()));
/// ```
#[must_use]
pub fn functions() -> Vec<Arc<ScalarUDF>> {
    use Encoding::{Utf8, Utf16Be, Utf16Le};
    use Operation::{Decode, Encode, Error, IsValid};
    [
        ("utf8_decode", Decode, Utf8),
        ("utf16le_decode", Decode, Utf16Le),
        ("utf16be_decode", Decode, Utf16Be),
        ("utf16le_encode", Encode, Utf16Le),
        ("utf16be_encode", Encode, Utf16Be),
        ("is_valid_utf8", IsValid, Utf8),
        ("is_valid_utf16le", IsValid, Utf16Le),
        ("is_valid_utf16be", IsValid, Utf16Be),
        ("utf8_error", Error, Utf8),
        ("utf16le_error", Error, Utf16Le),
        ("utf16be_error", Error, Utf16Be),
    ]
    .map(|(name, operation, encoding)| {
        let signature = Signature::user_defined(Volatility::Immutable);
        Arc::new(ScalarUDF::new_from_impl(Function { name, operation, encoding, signature }))
    })
    .into()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Operation {
    Decode,
    Encode,
    IsValid,
    Error,
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct Function {
    name: &'static str,
    operation: Operation,
    encoding: Encoding,
    signature: Signature,
}

impl ScalarUDFImpl for Function {
    fn name(&self) -> &str {
        self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn coerce_types(&self, types: &[DataType]) -> Result<Vec<DataType>> {
        let (value, policy) = match (types, self.operation) {
            ([value], _) => (value, None),
            ([value, policy], Operation::Decode) => (value, Some(policy)),
            (_, Operation::Decode) => return plan_err!("{} takes bytes and a policy", self.name),
            _ => return plan_err!("{} takes one argument, not {}", self.name, types.len()),
        };
        let (is, taken) = match self.operation {
            Operation::Encode => (text_type(value), "text"),
            _ => (bytes_type(value), "Binary, LargeBinary or BinaryView"),
        };
        let Some(is) = is else { return plan_err!("{} takes {taken}, not {value}", self.name) };
        Ok(match policy {
            None => vec![is],
            Some(policy) if text_type(policy).is_some() => vec![is, DataType::Utf8],
            Some(policy) => return plan_err!("{} takes a policy of type Utf8, not {policy}", self.name),
        })
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        match (self.operation, &types[0]) {
            (Operation::Decode, DataType::Binary) => Ok(DataType::Utf8),
            (Operation::Decode, DataType::LargeBinary) => Ok(DataType::LargeUtf8),
            (Operation::Decode, DataType::BinaryView) => Ok(DataType::Utf8View),
            (Operation::Encode, DataType::Utf8) => Ok(DataType::Binary),
            (Operation::Encode, DataType::LargeUtf8) => Ok(DataType::LargeBinary),
            (Operation::Encode, DataType::Utf8View) => Ok(DataType::BinaryView),
            (Operation::IsValid, _) => Ok(DataType::Boolean),
            (Operation::Error, _) => Ok(DataType::Struct(error_fields())),
            (_, is) => plan_err!("{} does not take {is}", self.name),
        }
    }

    fn return_field_from_args(&self, args: ReturnFieldArgs) -> Result<FieldRef> {
        // A wrong policy is an error of the plan, and not one of the first batch.
        if let Some(policy) = args.scalar_arguments.get(1) {
            policy_of(self.name, *policy)?;
        }
        let types: Vec<_> = args.arg_fields.iter().map(|field| field.data_type().clone()).collect();
        Ok(Arc::new(Field::new(self.name, self.return_type(&types)?, true)))
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let policy = match args.args.get(1) {
            None => Policy::Error,
            Some(ColumnarValue::Scalar(policy)) => policy_of(self.name, Some(policy))?,
            Some(ColumnarValue::Array(_)) => policy_of(self.name, None)?,
        };
        match &args.args[0] {
            ColumnarValue::Array(array) => Ok(ColumnarValue::Array(self.call(array, policy)?)),
            ColumnarValue::Scalar(value) => {
                let result = self.call(&value.to_array_of_size(1)?, policy)?;
                Ok(ColumnarValue::Scalar(ScalarValue::try_from_array(&result, 0)?))
            }
        }
    }
}

impl Function {
    fn call(&self, array: &ArrayRef, policy: Policy) -> Result<ArrayRef> {
        let result = match self.operation {
            Operation::Decode => decode_any(array, self.encoding, policy),
            Operation::Encode => encode_any(array, self.encoding),
            Operation::IsValid => is_well_formed(array, self.encoding).map(|fine| Arc::new(fine) as ArrayRef),
            Operation::Error => errors(array, self.encoding).map(|errors| error_column(array.len(), &errors)),
        };
        result.map_err(|error| self.error(array, error))
    }

    /// An execution error, as engines try others again, or hide their text.
    fn error(&self, array: &dyn Array, error: ArrowError) -> DataFusionError {
        let name = self.name;
        let text = match &error {
            ArrowError::ExternalError(external) => external.downcast_ref::<TextError>(),
            _ => None,
        };
        let message = match (text, text.and_then(|text| value(array, text.row))) {
            (Some(text), Some(value)) => {
                format!("{name}: {}, in the value {} (row {} of its batch)", place(text), literal(value), text.row)
            }
            (Some(text), None) => format!("{name}: {}, in row {} of its batch", text.kind, text.row),
            _ => format!("{name}: {error}"),
        };
        DataFusionError::Execution(message)
    }
}

fn place(error: &TextError) -> String {
    format!("{} at byte {}", error.kind, error.offset)
}

/// The bytes of a row, as a SQL literal; of a long value only the start, and its length.
fn literal(value: &[u8]) -> String {
    const MOST: usize = 64;
    let mut literal = String::from("X'");
    for byte in &value[..value.len().min(MOST)] {
        let _ = write!(literal, "{byte:02X}");
    }
    literal.push('\'');
    if value.len() > MOST {
        let _ = write!(literal, "… of {} bytes", value.len());
    }
    literal
}

fn value(array: &dyn Array, row: usize) -> Option<&[u8]> {
    if row >= array.len() {
        return None;
    }
    match array.data_type() {
        DataType::Binary => Some(array.as_binary::<i32>().value(row)),
        DataType::LargeBinary => Some(array.as_binary::<i64>().value(row)),
        DataType::BinaryView => Some(array.as_binary_view().value(row)),
        _ => None,
    }
}

/// The type that an argument of this type is cast to, if it is one of bytes.
fn bytes_type(is: &DataType) -> Option<DataType> {
    match is {
        DataType::Binary | DataType::LargeBinary | DataType::BinaryView => Some(is.clone()),
        DataType::FixedSizeBinary(_) | DataType::Null => Some(DataType::Binary),
        DataType::Dictionary(_, values) => bytes_type(values),
        _ => None,
    }
}

/// The type that an argument of this type is cast to, if it is one of text.
fn text_type(is: &DataType) -> Option<DataType> {
    match is {
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Some(is.clone()),
        DataType::Null => Some(DataType::Utf8),
        DataType::Dictionary(_, values) => text_type(values),
        _ => None,
    }
}

fn policy_of(name: &str, argument: Option<&ScalarValue>) -> Result<Policy> {
    let Some(argument) = argument else { return exec_err!("{name}: the policy must be a literal") };
    match argument.try_as_str().flatten() {
        Some("error") => Ok(Policy::Error),
        Some("replace") => Ok(Policy::Replace),
        Some("null") => Ok(Policy::Null),
        _ => exec_err!("{name}: the policy must be 'error', 'replace' or 'null', not {argument}"),
    }
}

fn error_fields() -> Fields {
    vec![Field::new("offset", DataType::Int64, true), Field::new("kind", DataType::Utf8, true)].into()
}

/// A struct for each row that has an error.
fn error_column(rows: usize, errors: &[TextError]) -> ArrayRef {
    if errors.is_empty() {
        return Arc::new(StructArray::new_null(error_fields(), rows));
    }
    let mut ill_formed = BooleanBufferBuilder::new(rows);
    ill_formed.append_n(rows, false);
    let mut offsets = vec![None; rows];
    let mut kinds = vec![None; rows];
    for error in errors {
        ill_formed.set_bit(error.row, true);
        // At most 4 GB, or what is in memory.
        offsets[error.row] = i64::try_from(error.offset).ok();
        kinds[error.row] = Some(error.kind.to_string());
    }
    let columns: Vec<ArrayRef> = vec![Arc::new(Int64Array::from(offsets)), Arc::new(StringArray::from(kinds))];
    let nulls = NullBuffer::new(ill_formed.finish());
    Arc::new(StructArray::new(error_fields(), columns, Some(nulls)))
}
